/**
 * What came and went on a socket last, for messages: a line each, both sides.
 *
 * Room: replay.
 */
import type { ClientInput } from '../dialect/live-messages.ts'
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

/** What passed, and how it is told when it is asked for: most of it never is. */
type Entry =
  | { readonly type: 'media'; readonly lane: string; readonly amount: number; readonly unit: string }
  | { readonly type: 'message'; readonly tell: () => string }

/** Nothing has passed yet. */
export function createPassed(comparer: Comparer): Passed {
  const kept: Entry[] = []

  function keep(entry: Entry): void {
    kept.push(entry)
    if (kept.length > KEPT) kept.shift()
  }

  return {
    client(input) {
      if (input.type !== 'media') {
        keep({ type: 'message', tell: () => `client: ${input.label}, ${cut(comparer.show(input))}` })
        return
      }
      // Sound comes in hundreds of pieces: what follows without a word between is one thing.
      const last = kept.at(-1)
      const { lane, unit } = input
      const isMore = last?.type === 'media' && last.lane === lane
      if (isMore) kept.pop()
      keep({ type: 'media', lane, unit, amount: input.amount + (isMore ? last.amount : 0) })
    },
    server(step, bytes) {
      const { number, marks } = step
      const shown = bytes.length > DECODED ? undefined : bytes
      keep({
        type: 'message',
        tell: () => `server: message ${number}, ${marks.label}${shown === undefined ? '' : excerpt(shown)}`,
      })
    },
    lines: () =>
      kept.map(entry =>
        entry.type === 'media' ? `client: ${Math.round(entry.amount)} ${entry.unit}` : entry.tell(),
      ),
  }
}

function excerpt(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  return text === undefined ? '' : `, ${cut(text.replaceAll(/\s+/g, ' ').trim())}`
}

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`
}
