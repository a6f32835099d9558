/**
 * Why two conversations differ: longer, shorter, or where one turn says something else.
 *
 * Turns and their pieces are the same for every API here; what each API calls them is in the files that
 * read them.
 *
 * Room: dialect.
 */
import { type JsonValue, sameJson } from '../wire/json.ts'
import { cause, type Cause } from './cause.ts'
import { explainPiece, type Piece, pieceMissing, pieceName, pieceAdded } from './cause-pieces.ts'

/** One turn of a conversation. */
export interface Turn {
  /** Who says it; a request without a role is the user's. */
  readonly by: 'user' | 'model'
  readonly pieces: readonly Piece[]
  /** The turn as it stands in the request. */
  readonly value: JsonValue
}

/** How many causes in one turn are told. */
const TOLD = 3

const KEEPS = 'Look at what the app keeps of the conversation, and when it drops it.'

/** The causes of what is different in two conversations; none where they are the same. */
export function explainTurns(recorded: readonly Turn[], received: readonly Turn[]): readonly Cause[] {
  const before = sharedHead(recorded, received)
  const after = sharedTail(recorded, received, before)
  const [lost, found] = [
    recorded.slice(before, recorded.length - after),
    received.slice(before, received.length - after),
  ]
  if (lost.length + found.length === 0) return []
  const length = explainLength(lost, found, received.length - recorded.length)
  const [was, is] = [lost[0], found[0]]
  if (was === undefined || is === undefined) return length
  const place = { turn: before + 1, last: isLastOfUser(received, before) }
  return [...length, ...explainTurn(was, is, place)].slice(0, TOLD)
}

/** Where a turn stands. `last`: it is the user's last one. */
interface Place {
  readonly turn: number
  readonly last: boolean
}

function explainLength(lost: readonly Turn[], found: readonly Turn[], grown: number): readonly Cause[] {
  if (grown === 0) return []
  const turns = `${Math.abs(grown)} turn${Math.abs(grown) === 1 ? '' : 's'}`
  const [only] = lost
  const answers = only?.pieces.every(({ kind }) => kind === 'response') ? only.pieces : []
  const [answer] = answers
  if (grown === -1 && found.length === 0 && answer !== undefined) {
    return [pieceMissing(answer)]
  }
  return grown > 0
    ? [cause('history-longer', `the history is longer by ${turns}`, KEEPS)]
    : [cause('history-shorter', `the history is shorter by ${turns}`, KEEPS)]
}

function explainTurn(recorded: Turn, received: Turn, place: Place): readonly Cause[] {
  if (recorded.by !== received.by) {
    const words = `turn ${place.turn} is the ${received.by}'s, recorded as the ${recorded.by}'s`
    return [cause('role-changed', words)]
  }
  const before = sharedHead(recorded.pieces, received.pieces)
  const after = sharedTail(recorded.pieces, received.pieces, before)
  const lost = recorded.pieces.slice(before, recorded.pieces.length - after)
  const found = received.pieces.slice(before, received.pieces.length - after)
  const causes: Cause[] = []
  for (const piece of lost) {
    // What is left of a kind is paired in its order: nothing else says which one became which.
    const at = found.findIndex(other => other.kind === piece.kind)
    const [other] = at === -1 ? [] : found.splice(at, 1)
    if (other === undefined) causes.push(pieceMissing(piece))
    else causes.push(...explainPiece(piece, other, whose(received, place, other)))
    if (causes.length >= TOLD) return causes
  }
  causes.push(...found.slice(0, TOLD).map(pieceAdded))
  // Neither a piece more nor less, and each the same: something about the turn itself.
  return causes.length === 0 ? [cause('part-changed', `turn ${place.turn} changed`)] : causes
}

/** Which piece it is, in words. */
function whose({ by }: Turn, { turn, last }: Place, piece: Piece): string {
  const where = last ? 'the last user message' : `turn ${turn} (${by})`
  return `${pieceName(piece)} of ${where}`
}

function isLastOfUser(turns: readonly Turn[], index: number): boolean {
  return turns[index]?.by === 'user' && turns.slice(index + 1).every(({ by }) => by !== 'user')
}

function sharedHead(one: readonly Valued[], other: readonly Valued[]): number {
  let same = 0
  while (isSame(one[same], other[same])) same += 1
  return same
}

function sharedTail(one: readonly Valued[], other: readonly Valued[], head: number): number {
  const most = Math.min(one.length, other.length) - head
  let same = 0
  while (same < most && isSame(one[one.length - 1 - same], other[other.length - 1 - same])) same += 1
  return same
}

interface Valued {
  readonly value: JsonValue
}

function isSame(one: Valued | undefined, other: Valued | undefined): boolean {
  return one !== undefined && other !== undefined && sameJson(one.value, other.value)
}
