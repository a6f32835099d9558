/** The scenario of the Live API: the connections that the app opens, and what it says on each. */
import type { JsonObject } from '../../../src/wire/json.ts'
import type { Part, Scenario, Turn } from '../invariants/run.ts'
import type { Case, CaseExchange } from './case.ts'
import { NEVER_SAID, savesLiveBlob } from './exceptions.ts'
import { camelCased, items, record, records, textOf } from '../json.ts'
import { instructionOf, modelName, userParts } from './scenario-text.ts'
import { named, once, toolsOf } from './scenario-tools.ts'

interface Connection {
  readonly setup: JsonObject
  readonly client: readonly JsonObject[]
  /** All of it, in order. */
  readonly said: readonly { readonly from: 'client' | 'server'; readonly message: JsonObject }[]
}

/** The scenario, but for what every scenario has. */
export function liveScenario({ name, exchanges }: Case): Omit<Scenario, 'name' | 'backend'> {
  const connections = exchanges.filter(({ kind }) => kind === 'live').map(connectionOf)
  const setup = connections[0]?.setup ?? {}
  const instruction = instructionOf(setup['systemInstruction'])
  const config = record(setup['generationConfig'])
  const modalities = items(config['responseModalities'] ?? setup['responseModalities'])
  return {
    api: 'live',
    streaming: true,
    model: modelName(textOf(setup['model']) ?? ''),
    agent: 'single',
    ...(instruction === undefined ? {} : { instruction }),
    tools: toolsIn(connections),
    conversations: conversationsOf(connections),
    audio: modalities.includes('AUDIO'),
    resumption: 'sessionResumption' in setup,
    ...(savesLiveBlob(name) ? { saveLiveBlob: true } : {}),
    streamArguments: false,
    thinkingSummaries: record(config['thinkingConfig'])['includeThoughts'] === true,
  }
}

function connectionOf({ said }: CaseExchange): Connection {
  const all = said.map(({ from, value }) => ({ from, message: record(camelCased(value ?? {})) }))
  const client = all.filter(({ from }) => from === 'client').map(({ message }) => message)
  return { setup: record(client.find(message => 'setup' in message)?.['setup']), client, said: all }
}

/** One list for each connection of the app's; one that resumes goes on with the list before it. */
function conversationsOf(connections: readonly Connection[]): readonly (readonly Turn[])[] {
  const conversations: (readonly Turn[])[] = []
  for (const connection of connections) {
    const turns = turnsOf(connection)
    const before = conversations.at(-1)
    const { handle } = record(connection.setup['sessionResumption'])
    if (before === undefined || handle === undefined) conversations.push(turns)
    else conversations.splice(-1, 1, [...before, ...turns])
  }
  return conversations.map(turns => (turns.length === 0 ? [UNSAID] : turns))
}

const UNSAID: Turn = { parts: [{ text: NEVER_SAID }], how: 'content' }

/** What the app says. Sound is one turn, however it is cut, until the service has ended its own. */
function turnsOf({ said }: Connection): readonly Turn[] {
  const turns: Turn[] = []
  let speaking = false
  for (const { from, message } of said) {
    if (from === 'server') {
      if (record(message['serverContent'])['turnComplete'] === true) speaking = false
      continue
    }
    const { clientContent, realtimeInput } = message
    const parts = clientContent === undefined ? undefined : newText(record(clientContent))
    if (parts !== undefined) turns.push({ parts, how: 'content' })
    const { text: spoken, audio, mediaChunks } = record(realtimeInput)
    if (typeof spoken === 'string') turns.push({ parts: [{ text: spoken }], how: 'realtime-text' })
    for (const sound of audio === undefined ? records(mediaChunks) : [record(audio)]) {
      const before = speaking ? turns.pop() : undefined
      turns.push({ parts: [joined(before, sound)], how: 'audio' })
      speaking = true
    }
  }
  return turns
}

/** What the user says with a message. A message that ends no turn is history. */
function newText({ turns, turnComplete }: JsonObject): readonly Part[] | undefined {
  return turnComplete === true ? userParts(records(turns).at(-1)) : undefined
}

/** Sound behind the sound that came before it. */
function joined(before: Turn | undefined, { data, mimeType }: JsonObject): Part {
  const pieces = [before?.parts[0]?.inlineData?.data ?? '', textOf(data) ?? '']
  const bytes = Buffer.concat(pieces.map(base64 => Buffer.from(base64, 'base64')))
  return { inlineData: { mimeType: textOf(mimeType) ?? '', data: bytes.toString('base64') } }
}

function toolsIn(connections: readonly Connection[]): Scenario['tools'] {
  const said = connections.flatMap(connection => connection.said.map(({ message }) => message))
  const declared = records(connections[0]?.setup['tools']).flatMap(({ functionDeclarations }) =>
    records(functionDeclarations),
  )
  return toolsOf({
    declared,
    called: said.flatMap(({ toolCall }) =>
      records(record(toolCall)['functionCalls']).map(call => named(call, 'args')),
    ),
    answered: once(
      said.flatMap(({ toolResponse }) =>
        records(record(toolResponse)['functionResponses']).map(response => named(response, 'response')),
      ),
    ),
  })
}
