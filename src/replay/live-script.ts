/**
 * A recorded connection as steps, read one at a time: an hour of sound is never expanded as a whole.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { SocketClose, SocketMessage } from '../cassette/model.ts'
import type { ClientInput, Frame, ServerMarks, SocketDialect } from '../dialect/live-messages.ts'
import type { LiveSource } from './live.ts'

interface StepBase {
  /** Its number among the messages of its exchange, from 1. */
  readonly number: number
  /** When it was recorded: milliseconds since the connection began. */
  readonly at: Instant
}

/** A recorded message of the client. */
interface ClientStep extends StepBase {
  readonly type: 'client'
  readonly inputs: readonly ClientInput[]
}

/** A recorded message of the service. */
export interface ServerStep extends StepBase {
  readonly type: 'server'
  readonly marks: ServerMarks
  readonly frame: Frame
}

/** How the recorded connection ended. By the service with code 1006: it was lost. */
export interface CloseStep extends StepBase {
  readonly type: 'close'
  readonly close: SocketClose
}

/** One message, or the close. */
type LiveStep = ClientStep | ServerStep | CloseStep

/** The steps of one connection up to its close. */
export interface LiveScript {
  readonly source: LiveSource
  /** How it is named in messages: its file and number. */
  readonly name: string
  /** Undefined after the last one. */
  step(index: number): LiveStep | undefined
  /** The bytes of a server step. */
  bytes(step: ServerStep): Uint8Array
}

/** Reads a recorded connection. Steps are kept once they are read; their bytes are not. */
export function createScript(source: LiveSource, dialect: SocketDialect): LiveScript {
  const messages = messagesOf(source)
  const times = timesOf(messages)
  const steps: LiveStep[] = []
  /** A server message is mostly sent right after it was read: its bytes need not be made twice. */
  let lastRead: { readonly number: number; readonly bytes: Uint8Array } | undefined
  /** Thousands of messages are alike in what they mean. */
  const known = new Map<string, ServerMarks>()

  function marksOf(bytes: Uint8Array): ServerMarks {
    const fresh = dialect.readServer(bytes)
    const key = JSON.stringify(fresh)
    const marks = known.get(key) ?? fresh
    known.set(key, marks)
    return marks
  }

  function read(index: number, message: SocketMessage): LiveStep | undefined {
    const place = { number: index + 1, at: times[index] ?? 0 }
    if (message.close !== undefined) return { type: 'close', ...place, close: message.close }
    if (message.client !== undefined) {
      return {
        type: 'client',
        ...place,
        inputs: dialect.readClient(source.bytes(message.client, 'client')),
      }
    }
    if (message.server === undefined) return undefined
    const bytes = source.bytes(message.server, 'server')
    lastRead = { number: place.number, bytes }
    const frame = message.frame ?? dialect.frames.server
    return { type: 'server', ...place, marks: marksOf(bytes), frame }
  }

  return {
    source,
    name: `exchange ${source.number} (line ${source.exchange.line} of ${source.file})`,
    step(index) {
      const message = messages[index]
      if (message === undefined) return undefined
      const step = steps[index] ?? read(index, message)
      if (step !== undefined) steps[index] = step
      return step
    },
    bytes(step) {
      if (lastRead?.number === step.number) return lastRead.bytes
      const payload = messages[step.number - 1]?.server
      return payload === undefined ? new Uint8Array() : source.bytes(payload, 'server')
    },
  }
}

/** The messages up to the close; a connection that was cut without one gets a close that says so. */
function messagesOf({ exchange }: LiveSource): readonly SocketMessage[] {
  const messages = exchange.messages ?? []
  const close = messages.findIndex(message => message.close !== undefined)
  if (close !== -1) return messages.slice(0, close + 1)
  switch (exchange.end.how) {
    case 'upstream-reset':
    case 'upstream-error':
    case 'truncated':
      return [...messages, { at: exchange.end.at, close: { by: 'server', code: 1006 } }]
    case 'client-abort':
    case undefined:
      return messages
  }
}

/** When each message came: one without a time came with the one before. */
function timesOf(messages: readonly SocketMessage[]): readonly Instant[] {
  let last: Instant = 0
  return messages.map(({ at }) => {
    last = at ?? last
    return last
  })
}
