/**
 * How a Live session that is written by hand begins, and what its messages say once its calls are numbered.
 *
 * Room: dialect.
 */
import type { JsonObject } from '../wire/json.ts'
import type { CallIds } from './build-ids.ts'
import { client, server, type CloseItem, type LiveItem, type MessageItem } from './build-live.ts'
import { callOf, resolvedObject } from './build-parts.ts'
import { unplaced, type EndItem, type Placing } from './build-stream.ts'

/** One message, close or end, and when it comes. */
export interface PlacedLine {
  readonly placing: Placing
  readonly item: MessageItem | CloseItem | EndItem
}

/** The lines of a session in order; of several messages that are placed together the first has the place. */
export function linesOf(items: readonly LiveItem[]): readonly PlacedLine[] {
  return items.flatMap(one => {
    const { placing, item } = unplaced<PlacedLine['item'] | readonly PlacedLine['item'][]>(one)
    const list: readonly PlacedLine['item'][] = 'type' in item ? [item] : item
    return list.map((line, index) => ({ placing: index === 0 ? placing : {}, item: line }))
  })
}

/** What a message says, its calls included. */
export function saidIn({ value, calls }: MessageItem, ids: CallIds): JsonObject | string | Uint8Array {
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  const said = resolvedObject(value, ids, 'this message')
  const functionCalls = calls.map(call => callOf(call, ids.give(call, 'function-call')))
  return functionCalls.length === 0 ? said : { ...said, toolCall: { functionCalls } }
}

/** The setup that asks for what the messages of the server have in them. */
export function setupFor(model: string, lines: readonly PlacedLine[]): JsonObject {
  const said = lines.flatMap(({ item }) =>
    item.type === 'message' && item.from === 'server' && isJson(item.value) ? [item.value] : [],
  )
  const has = (key: string): boolean => said.some(value => isIn(value, key))
  return {
    model,
    generationConfig: { responseModalities: [has('inlineData') ? 'AUDIO' : 'TEXT'] },
    ...(has('inputTranscription') ? { inputAudioTranscription: {} } : {}),
    ...(has('outputTranscription') ? { outputAudioTranscription: {} } : {}),
    ...(has('sessionResumptionUpdate') ? { sessionResumption: {} } : {}),
  }
}

/** True if a message says that the server is ready. */
export function isReady({ item }: PlacedLine): boolean {
  return item.type === 'message' && isJson(item.value) && item.value['setupComplete'] !== undefined
}

function isJson(value: MessageItem['value']): value is Readonly<Record<string, unknown>> {
  return typeof value !== 'string' && !(value instanceof Uint8Array)
}

function isIn(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, item]) => name === key || isIn(item, key))
}

/** The first message of every session. */
export function setupMessage(setup: object): MessageItem {
  return client.sends({ setup })
}

/** The server's answer to it. */
export function readyMessage(): MessageItem {
  return server.setupComplete()
}
