/**
 * What a replay has to say when it is over: what was played, what failed, what is left.
 *
 * Room: replay.
 */
import type { Failure } from './http.ts'
import { exchangeName, type Recorded } from './recorded.ts'
import type { Selection } from './selection.ts'

/** A replay so far. It went well where `failures` and `leftovers` are empty. */
export interface ReplayReport {
  /** Exchanges in the cassettes. */
  readonly exchanges: number
  /** How many of them were asked for at least once. */
  readonly played: number
  /** Requests that came, answered or refused. */
  readonly requests: number
  /** Requests that are not on the recording, in the order in which they came. */
  readonly failures: readonly Failure[]
  /** Recorded things that were not used up, in recorded order. */
  readonly leftovers: readonly Leftover[]
  /** Remarks that fail nothing, in the order in which they were made. */
  readonly notes: readonly string[]
}

/**
 * What kinds of things can be left. `never-asked`: an exchange was not asked for as often as recorded.
 * `abandoned`: the client left a stream while more was to come. Of a socket, `never-reached`: the client left
 * before messages of the service; `never-sent`: it had all of them, and did not send what it sent on the recording.
 */
export type LeftoverKind = 'never-asked' | 'abandoned' | 'never-reached' | 'never-sent'

/** Every {@link LeftoverKind}. */
export const LEFTOVER_KINDS: readonly LeftoverKind[] = [
  'never-asked',
  'abandoned',
  'never-reached',
  'never-sent',
]

/** Something recorded that the app did not use up. */
export interface Leftover {
  /** The cassette. */
  readonly file: string
  /** The exchange's position in its file, from 1. */
  readonly number: number
  /** What it answers, e.g. `POST models/m:generateContent`. */
  readonly operation: string
  /** By this name it can be allowed. */
  readonly kind: LeftoverKind
  /** All of it, for people. */
  readonly message: string
}

/**
 * Two replays of the same cassettes as one: what each has played of them, and what it has to say.
 *
 * @param files - The cassettes in order: so leftovers are in recorded order again.
 */
export function joinedReport(files: readonly string[], one: ReplayReport, other: ReplayReport): ReplayReport {
  const place = (left: Leftover): number => files.indexOf(left.file)
  return {
    exchanges: one.exchanges + other.exchanges,
    played: one.played + other.played,
    requests: one.requests + other.requests,
    failures: [...one.failures, ...other.failures],
    leftovers: [...one.leftovers, ...other.leftovers].toSorted(
      (left, right) => place(left) - place(right) || left.number - right.number,
    ),
    notes: [...one.notes, ...other.notes],
  }
}

/** The exchanges that were not asked for as often as they must be: each once, `repeat: N` N times, `always` at least once. */
export function neverAsked(selection: Selection): readonly Leftover[] {
  return selection.all
    .filter(recorded => !selection.isSatisfied(recorded))
    .map(recorded => {
      const uses = selection.uses(recorded)
      const often =
        uses === 0 ? 'was never asked for' : `was asked for ${uses} of ${recorded.exchange.repeat} times`
      return leftover(recorded, 'never-asked', often)
    })
}

/** A stream that a client left before its end. */
export function abandoned(recorded: Recorded, chunksLeft: number): Leftover {
  return leftover(recorded, 'abandoned', `was abandoned with ${counted(chunksLeft, 'chunk')} to come`)
}

/** `1 place`, `2 places`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function leftover(recorded: Recorded, kind: Leftover['kind'], what: string): Leftover {
  const { file, number, operation } = recorded
  return { file, number, operation, kind, message: `${operation}, ${exchangeName(recorded)}, ${what}` }
}
