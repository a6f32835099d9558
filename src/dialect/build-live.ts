/**
 * Live sessions, written by hand: what the client and the server say over a socket.
 *
 * Source: js-genai `types.ts` 7636-8140 and its recorded session logs.
 *
 * Room: dialect.
 */
import { encodeBase64 } from '../wire/base64.ts'
import type { JsonObject } from '../wire/json.ts'
import { plainObject, wrongUse, type CallItem, type Saying } from './build-items.ts'
import { partOf, user, type FunctionResult, type Turn } from './build-parts.ts'
import type { EndItem, Placed } from './build-stream.ts'

/** One message. A text and bytes are exact, a value is spelled as that side spells it. */
export interface MessageItem {
  /** Always `message`. */
  readonly type: 'message'
  /** Who sends it. */
  readonly from: 'client' | 'server'
  /** What it says. */
  readonly value: Readonly<Record<string, unknown>> | string | Uint8Array
  /** Undefined: text by the client, binary by the server. */
  readonly frame: 'text' | 'binary' | undefined
  /** Calls that it makes, with the numbers of the builder where they have no id. */
  readonly calls: readonly CallItem[]
}

/** The close of the socket. */
export interface CloseItem {
  /** Always `close`. */
  readonly type: 'close'
  /** Who closes first. */
  readonly by: 'client' | 'server'
  /** Undefined for a close without one (1005). */
  readonly code: number | undefined
  /** The text beside the code. */
  readonly reason: string | undefined
}

/** A message, the close or the end. */
export type LiveLine = MessageItem | CloseItem | EndItem

/** What goes over a socket, in order; one thing may be said in several messages. */
export type LiveItem = LiveLine | readonly LiveLine[] | Placed<LiveLine | readonly LiveLine[]>

/** How a message is sent, where that differs from what its side does. */
export interface FrameOptions {
  /** The opcode of the message. */
  readonly frame?: 'text' | 'binary' | undefined
}

function message(
  from: 'client' | 'server',
  value: MessageItem['value'],
  more: Partial<MessageItem> = {},
): MessageItem {
  return { type: 'message', from, value, frame: undefined, calls: [], ...more }
}

function sent(
  from: 'client' | 'server',
  value: object | string | Uint8Array,
  { frame }: FrameOptions,
): MessageItem {
  const exact = typeof value === 'string' || value instanceof Uint8Array
  return message(from, exact ? value : { ...value }, { frame })
}

function closed(by: 'client' | 'server', code: number | undefined, reason: string | undefined): CloseItem {
  return { type: 'close', by, code, reason }
}

function realtime(value: object): MessageItem {
  return message('client', { realtimeInput: plainObject(value, 'realtimeInput') })
}

function media(bytes: Uint8Array, mimeType: string): JsonObject {
  return { data: encodeBase64(bytes), mimeType }
}

/** What the client of a Live session says. */
export const client: {
  /** A turn of the user, in a text or in parts, at whose end the model speaks. */
  readonly says: (...said: readonly (Saying | FunctionResult)[]) => MessageItem
  /** Turns that were before, after which the model says nothing yet. */
  readonly recalls: (...turns: readonly Turn[]) => MessageItem
  /** Text in real time (`realtimeInput`), as newer models want it. */
  readonly writes: (text: string) => MessageItem
  /** 16-bit mono sound, at 16 kHz unless given. From 192 bytes on it goes into a file beside the cassette. */
  readonly audio: (bytes: Uint8Array, options?: { readonly rate?: number | undefined }) => MessageItem
  /** A picture of a video. */
  readonly video: (bytes: Uint8Array, mimeType?: string) => MessageItem
  /** The sound has ended. */
  readonly audioEnds: () => MessageItem
  /** The user begins, for a setup without automatic detection. */
  readonly activityStarts: () => MessageItem
  /** The user has ended. */
  readonly activityEnds: () => MessageItem
  /** Answers calls of the server. */
  readonly responds: (...results: readonly FunctionResult[]) => MessageItem
  /** Anything else: a message with these fields, an exact text, bytes. */
  readonly sends: (value: object | string | Uint8Array, options?: FrameOptions) => MessageItem
  /** Closes the socket; nothing comes after it. */
  readonly closes: (code?: number, reason?: string) => CloseItem
} = {
  says: (...said) => message('client', { clientContent: { turns: [user(...said)], turnComplete: true } }),
  recalls: (...turns) => message('client', { clientContent: { turns, turnComplete: false } }),
  writes: text => realtime({ text }),
  audio: (bytes, { rate = 16_000 } = {}) => realtime({ audio: media(bytes, `audio/pcm;rate=${rate}`) }),
  video: (bytes, mimeType = 'image/jpeg') => realtime({ video: media(bytes, mimeType) }),
  audioEnds: () => realtime({ audioStreamEnd: true }),
  activityStarts: () => realtime({ activityStart: {} }),
  activityEnds: () => realtime({ activityEnd: {} }),
  responds: (...results) => message('client', { toolResponse: { functionResponses: results } }),
  sends: (value, options = {}) => sent('client', value, options),
  closes: (code, reason) => closed('client', code, reason),
}

function content(value: JsonObject): MessageItem {
  return message('server', { serverContent: value })
}

function turn(...parts: readonly JsonObject[]): MessageItem {
  return content({ modelTurn: { parts } })
}

function turnComplete(usage?: object): MessageItem {
  const counted = usage === undefined ? {} : { usageMetadata: plainObject(usage, 'usage') }
  return message('server', { serverContent: { turnComplete: true }, ...counted })
}

function sayingsOf(said: Saying | readonly Saying[]): readonly Saying[] {
  return isMany(said) ? said : [said]
}

function isMany(said: Saying | readonly Saying[]): said is readonly Saying[] {
  return Array.isArray(said)
}

/** What the server of a Live session says. */
export const server: {
  /** A piece of the model's turn in a message each; a list is one message with several parts. */
  readonly says: (...pieces: readonly (Saying | readonly Saying[])[]) => readonly MessageItem[]
  /** Pieces of a thought, in a message each. */
  readonly thinks: (...pieces: readonly string[]) => readonly MessageItem[]
  /** 16-bit mono sound, at 24 kHz unless given. From 192 bytes on it goes into a file beside the cassette. */
  readonly audio: (bytes: Uint8Array, options?: { readonly rate?: number | undefined }) => MessageItem
  /** Calls functions, all in one message. Calls without an id are numbered. */
  readonly calls: (...calls: readonly CallItem[]) => MessageItem
  /** Takes calls back, by their ids. */
  readonly cancels: (...ids: readonly string[]) => MessageItem
  /** What it has heard of the user (`inputTranscription`), in a message each. */
  readonly hears: (...pieces: readonly string[]) => readonly MessageItem[]
  /** What it is saying (`outputTranscription`), in a message each. */
  readonly transcribes: (...pieces: readonly string[]) => readonly MessageItem[]
  /** The user has interrupted it. */
  readonly interrupted: () => MessageItem
  /** It has made all of its turn. */
  readonly generationComplete: () => MessageItem
  /** The turn is over. `usage`: `usageMetadata` in the same message. */
  readonly turnComplete: (usage?: object) => MessageItem
  /** Both of these, as at the end of a turn that nobody interrupts. */
  readonly completes: (usage?: object) => readonly MessageItem[]
  /** `usageMetadata` in a message of its own. */
  readonly usage: (counts: object) => MessageItem
  /** It will close soon; `timeLeft` e.g. `50s`. */
  readonly goesAway: (timeLeft: string) => MessageItem
  /** By which handle the session can be resumed; none: it can't be now. */
  readonly resumption: (handle?: string) => MessageItem
  /** It is ready. Comes by itself after the setup unless given. */
  readonly setupComplete: (more?: object) => MessageItem
  /** Any fields of `serverContent`. */
  readonly content: (value: object) => MessageItem
  /** Anything else: a message with these fields, an exact text, bytes. */
  readonly sends: (value: object | string | Uint8Array, options?: FrameOptions) => MessageItem
  /** Closes the socket; nothing comes after it. `closes()` is a close without a code (1005). */
  readonly closes: (code?: number, reason?: string) => CloseItem
} = {
  says: (...pieces) => pieces.map(piece => turn(...sayingsOf(piece).map(one => partOf(one, ({ id }) => id)))),
  thinks: (...pieces) => pieces.map(text => turn({ text, thought: true })),
  audio: (bytes, { rate = 24_000 } = {}) =>
    turn({ inlineData: { mimeType: `audio/pcm;rate=${rate}`, data: encodeBase64(bytes) } }),
  calls: (...calls) => message('server', {}, { calls }),
  cancels: (...ids) => message('server', { toolCallCancellation: { ids } }),
  hears: (...pieces) => pieces.map(text => content({ inputTranscription: { text } })),
  transcribes: (...pieces) => pieces.map(text => content({ outputTranscription: { text } })),
  interrupted: () => content({ interrupted: true }),
  generationComplete: () => content({ generationComplete: true }),
  turnComplete,
  completes: usage => [content({ generationComplete: true }), turnComplete(usage)],
  usage: counts => message('server', { usageMetadata: plainObject(counts, 'usage') }),
  goesAway: timeLeft => message('server', { goAway: { timeLeft } }),
  resumption: handle =>
    message('server', {
      sessionResumptionUpdate: handle === undefined ? {} : { newHandle: handle, resumable: true },
    }),
  setupComplete: (more = {}) => message('server', { setupComplete: plainObject(more, 'setupComplete') }),
  content: value => content(plainObject(value, 'serverContent')),
  sends: (value, options = {}) => sent('server', value, options),
  closes: (code, reason) => closed('server', code, reason),
}

/**
 * Several messages as one: their fields side by side, their parts one after the other.
 *
 * @example
 * ```ts
 * together(server.says('lo'), server.turnComplete())
 * ```
 */
export function together(...items: readonly (MessageItem | readonly MessageItem[])[]): MessageItem {
  const all = items.flat()
  const [first] = all
  if (first === undefined || all.some(({ from }) => from !== first.from)) {
    throw wrongUse(
      'together() puts messages of one side into one.',
      'Give it messages of the client, or of the server.',
    )
  }
  const value = all.reduce((sum: Fields, { value: one }) => {
    if (typeof one !== 'string' && !(one instanceof Uint8Array)) return merged(sum, one)
    throw wrongUse('together() got an exact text or bytes, which have no fields.', 'Send it by itself.')
  }, {})
  return message(first.from, value, { frame: first.frame, calls: all.flatMap(({ calls }) => calls) })
}

type Fields = Readonly<Record<string, unknown>>

function merged(one: Fields, other: Fields): Fields {
  const sum: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = sum[key]
    if (Array.isArray(before) && Array.isArray(value)) sum[key] = before.concat(value)
    else if (isFields(before) && isFields(value)) sum[key] = merged(before, value)
    else sum[key] = value
  }
  return sum
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
