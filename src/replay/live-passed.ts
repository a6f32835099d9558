/**
 * What came and went on a socket last, for messages: a line each, both sides.
 *
 * Room: replay.
 */
import type { ClientInput, DiscreteInput, ResponseInput } from '../dialect/live-messages.ts'
import { decodeUtf8 } from '../wire/text.ts'
import type { Comparer } from './live-difference.ts'
import type { ServerStep } from './live-script.ts'

/** The last things that passed on one socket. */
export interface Passed {
  client(input: ClientInput): void
  server(step: ServerStep, bytes: Uint8Array): void
  /** {@link KEPT} lines at most, the last thing last. */
  lines(): readonly string[]
}

/** How many things are kept. */
const KEPT = 3
/** How much of a message is shown, in characters. */
const SHOWN = 100
/** A message of more bytes is told by its kind alone: decoding it would take longer than it is worth. */
const DECODED = 2000

/** What passed, as it was: it is told only if it is asked for, and most of it never is. */
type Entry =
  | { readonly type: 'media'; readonly lane: string; readonly unit: string; amount: number }
  | { readonly type: 'client'; readonly input: DiscreteInput | ResponseInput }
  | { readonly type: 'server'; readonly step: ServerStep; readonly bytes: Uint8Array | undefined }

/** Nothing has passed yet. */
export function createPassed(comparer: Comparer): Passed {
  const kept: Entry[] = []

  function keep(entry: Entry): void {
    if (kept.length === KEPT) kept.shift()
    kept.push(entry)
  }

  function told(entry: Entry): string {
    switch (entry.type) {
      case 'media':
        return `client: ${Math.round(entry.amount)} ${entry.unit}`
      case 'client':
        return `client: ${entry.input.label}, ${cut(comparer.show(entry.input))}`
      case 'server': {
        const { step, bytes } = entry
        return `server: message ${step.number}, ${step.marks.label}${bytes === undefined ? '' : excerpt(bytes)}`
      }
    }
  }

  return {
    client(input) {
      if (input.type !== 'media') {
        keep({ type: 'client', input })
        return
      }
      // Sound comes in hundreds of pieces: what follows without a word between is one thing.
      const last = kept.at(-1)
      if (last?.type === 'media' && last.lane === input.lane) last.amount += input.amount
      else keep({ type: 'media', lane: input.lane, unit: input.unit, amount: input.amount })
    },
    server(step, bytes) {
      keep({ type: 'server', step, bytes: bytes.length > DECODED ? undefined : bytes })
    },
    lines: () => kept.map(told),
  }
}

function excerpt(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  return text === undefined ? '' : `, ${cut(text.replaceAll(/\s+/g, ' ').trim())}`
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`
}
