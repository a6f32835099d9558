/**
 * Drives a Live replay by hand: what the client does, what the engine must answer, how time goes by.
 *
 * Commands are compared as short lines (`send {"toolCall":{}}`, `close 4404`), wakes apart from the rest.
 */
import { expect } from 'vitest'
import type { Exchange, Payload, SocketClose, SocketMessage } from '../../src/cassette/model.ts'
import { live } from '../../src/dialect/live.ts'
import { createLiveReplay } from '../../src/replay/live-engine.ts'
import { shortened } from '../../src/replay/live-difference.ts'
import type { LiveCommand, LiveInput, LiveOptions, LiveReplay, LiveSource } from '../../src/replay/live.ts'
import type { ReplayReport } from '../../src/replay/report.ts'
import type { Redactor } from '../../src/redact/redactor.ts'
import { decodeBase64 } from '../../src/wire/base64.ts'
import type { JsonValue } from '../../src/wire/json.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'

export const URL =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
/** The same operation as an SDK asks a local server for it. */
const LOCAL_URL = '//ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContent?key=none'

export const setup = { setup: { model: 'models/m' } }
export const ready = { setupComplete: {} }
export const said = (text: string): JsonValue => ({
  clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true },
})
export const speech = (text: string): JsonValue => ({ serverContent: { modelTurn: { parts: [{ text }] } } })
export const turnComplete = { serverContent: { turnComplete: true } }
export const interrupted = { serverContent: { interrupted: true } }
export const heard = (text: string): JsonValue => ({ serverContent: { inputTranscription: { text } } })
/** A stretch of 16 kHz sound. */
export const sound = (ms: number): JsonValue => {
  const data = 'A'.repeat(Math.floor((ms * 32) / 3) * 4) + ['', 'AA==', 'AAA='][(ms * 32) % 3]
  return { realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data } } }
}
export const frame = { realtimeInput: { video: { mimeType: 'image/jpeg', data: 'AAAA' } } }
export const call = (...ids: string[]): JsonValue => ({
  toolCall: { functionCalls: ids.map(id => ({ id, name: 'f', args: {} })) },
})
export const answer = (...ids: string[]): JsonValue => ({
  toolResponse: { functionResponses: ids.map(id => ({ id, name: 'f', response: { of: id } })) },
})

type Extra = Pick<SocketMessage, 'at' | 'frame'>
const value = (json: JsonValue): Payload => ({ type: 'value', value: json })

/** What the client sent on the recording. */
export const client = (json: JsonValue, extra: Extra = {}): SocketMessage => ({
  ...extra,
  client: value(json),
})
/** What the service sent on the recording. */
export const server = (json: JsonValue, extra: Extra = {}): SocketMessage => ({
  ...extra,
  server: value(json),
})
/** How the recorded connection was closed. */
export const closed = (by: SocketClose['by'], code?: number, reason?: string): SocketMessage => ({
  close: { by, code, reason },
})

/** A recorded connection. */
export function connection(
  messages: readonly SocketMessage[] | undefined,
  rest: Partial<Exchange> = {},
): Exchange {
  return {
    exchange: 'live',
    request: { method: 'GET', url: URL, headers: [], body: undefined },
    messages,
    end: { at: undefined, how: undefined },
    line: 1,
    ...rest,
  }
}

/** Takes nothing out: most tests have no secrets, and thousands of replays have no time to look for them. */
const NOTHING: Redactor = {
  headers: headers => headers,
  url: url => url,
  text: text => text,
  body: () => ({
    push: bytes => ({ bytes, replaced: [] }),
    end: () => ({ bytes: new Uint8Array(), replaced: [] }),
    held: 0,
  }),
  whole: bytes => ({ bytes, replaced: [] }),
}

/** The bytes of payloads that were asked for: a recording is replayed hundreds of times. */
const bytesOf = new WeakMap<Payload, Uint8Array>()

function spelledFor(side: 'client' | 'server' | 'response', payload: Payload): Uint8Array {
  if (payload.type === 'text') return encodeUtf8(payload.text)
  if (payload.type === 'base64') return decodeBase64(payload.base64) ?? new Uint8Array()
  return encodeUtf8(side === 'response' ? JSON.stringify(payload.value) : live.spell(side, payload.value))
}

/** Recorded connections as a replay takes them, numbered from 1. */
function sourcesOf(exchanges: readonly Exchange[]): readonly LiveSource[] {
  return exchanges.map((exchange, index) => ({
    file: 'a.cassette.yaml',
    number: index + 1,
    exchange,
    bytes(payload, side) {
      const made = bytesOf.get(payload) ?? spelledFor(side, payload)
      bytesOf.set(payload, made)
      return made
    },
  }))
}

/** A replay of these recorded connections. */
export function replayOf(exchanges: readonly Exchange[], options: Partial<LiveOptions> = {}): LiveReplay {
  return createLiveReplay({ sources: sourcesOf(exchanges), dialect: live, redactor: NOTHING, ...options })
}

/** A command as one short line. */
function line(command: LiveCommand): string {
  switch (command.type) {
    case 'accept':
    case 'drain':
    case 'drop':
      return command.type
    case 'refuse':
      return `refuse ${command.status} ${decodeUtf8(command.body)}`
    case 'send':
      return `send ${spelled(command.bytes)}${command.frame === 'text' ? ' as text' : ''}`
    case 'close':
      return `close ${command.code ?? 'without a code'}`
    case 'wake':
      return `wake ${command.at}`
    case 'pass':
      return 'pass'
    case 'fail':
      return `fail ${command.failure.code}`
    case 'done':
      return `done ${command.exchange.number} ${command.exchange.outcome}`
    case 'received':
      return `received ${JSON.stringify(command.received)}`
  }
}

function spelled(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes) ?? ''
  const json: JsonValue = JSON.parse(text)
  // The spelling is part of what is replayed: only the recorded one is shortened.
  return text === live.spell('server', json) ? JSON.stringify(json) : text
}

/** The line of a message that is sent as the service spells it. */
export const sends = (json: JsonValue): string => `send ${JSON.stringify(json)}`

export interface Playbook {
  opens(id?: number, url?: string): Playbook
  /** The client sends a message, in a text frame. */
  says(json: JsonValue, id?: number): Playbook
  receives(input: LiveInput): Playbook
  leaves(code?: number, reason?: string, id?: number): Playbook
  after(ms: number): Playbook
  /** The test lets the next message go. */
  steps(): Playbook
  /** Everything that came of the last input, wakes left out. */
  emits(...lines: string[]): Playbook
  /** The wakes that came of the last input. */
  wakes(...at: number[]): Playbook
  /** The last close's reason and the failures' texts hold this. */
  explains(...texts: string[]): Playbook
  reports(report: { readonly [Key in keyof ReplayReport]?: unknown }): Playbook
}

/** Starts at time 0. */
export function playbook(replay: LiveReplay): Playbook {
  let now = 0
  let produced: readonly LiveCommand[] = []
  const log: string[] = []
  const ofType = (wanted: 'wakes' | 'others') =>
    produced.filter(command => (command.type === 'wake') === (wanted === 'wakes')).map(line)

  function feed(input: LiveInput): Playbook {
    produced = replay.handle(input, now)
    const text =
      input.type === 'message'
        ? `message ${shortened(decodeUtf8(input.bytes) ?? 'bytes')}`
        : JSON.stringify(input)
    log.push(`>> ${text} @${now}`, ...produced.map(command => `<< ${line(command)}`))
    return play
  }

  const play: Playbook = {
    opens: (id = 1, url = LOCAL_URL) => feed({ type: 'open', id, url, headers: [] }),
    says: (json, id = 1) =>
      feed({ type: 'message', id, bytes: encodeUtf8(JSON.stringify(json)), frame: 'text' }),
    receives: feed,
    leaves: (code, reason, id = 1) => feed({ type: 'close', id, code, reason }),
    after(ms) {
      now += ms
      return feed({ type: 'wake' })
    },
    steps: () => feed({ type: 'step' }),
    emits(...lines) {
      expect(ofType('others'), `\n${log.join('\n')}\n`).toEqual(lines)
      return play
    },
    wakes(...at) {
      expect(ofType('wakes'), `\n${log.join('\n')}\n`).toEqual(at.map(time => `wake ${time}`))
      return play
    },
    explains(...texts) {
      const told = [
        ...replay.report().failures.map(failure => failure.message),
        ...produced.map(command => (command.type === 'close' ? command.reason : '')),
      ].join('\n')
      for (const text of texts) expect(told).toContain(text)
      return play
    },
    reports(report) {
      expect(replay.report(), `\n${log.join('\n')}\n`).toMatchObject(report)
      return play
    },
  }
  return play
}
