/**
 * Why one piece of a turn differs from the recorded one: its words, its signature, the call that it answers.
 *
 * Room: dialect.
 */
import { type JsonValue, sameJson } from '../wire/json.ts'
import { cause, type Cause, quoted } from './cause.ts'

/** What a piece can be. */
export type PieceKind =
  | 'user-text'
  | 'model-text'
  | 'thought'
  | 'call'
  | 'response'
  | 'media'
  | 'file'
  | 'other'

/** One piece of a turn, whatever its API calls it. */
export interface Piece {
  readonly kind: PieceKind
  /** The piece as it stands in the request. */
  readonly value: JsonValue
  /** What it says, without its id, name and signature. */
  readonly says: JsonValue
  /** The function of a call or a response. */
  readonly name: string | undefined
  /** The call that it is, or answers. */
  readonly id: string | undefined
  /** Its thought signature. */
  readonly signature: string | undefined
}

const SIGNED = 'Send what the model said back as it came, signatures included.'
const ANSWERED = 'Give each function response the id of the call that it answers.'

/** A piece in words. */
export function pieceName({ kind, name, id }: Piece): string {
  switch (kind) {
    case 'user-text':
    case 'model-text':
      return 'the text'
    case 'thought':
      return 'the thought'
    case 'call':
      return `the call of ${quoted(name ?? id)}`
    case 'response':
      return `the function response of ${quoted(name ?? id)}`
    case 'media':
      return 'the media'
    case 'file':
      return 'the file'
    case 'other':
      return 'a part'
  }
}

/** A recorded piece that did not come. */
export function pieceMissing(piece: Piece): Cause {
  const words = `${pieceName(piece)} is missing`
  if (piece.signature !== undefined && piece.says === '') {
    return cause(
      'thought-signature-missing',
      'the part that has a thought signature alone is missing',
      SIGNED,
    )
  }
  return piece.kind === 'response'
    ? cause(
        'function-response-missing',
        `${words}${piece.id === undefined ? '' : `, the answer to call ${quoted(piece.id)}`}`,
      )
    : cause('part-missing', words)
}

/** A piece that came and is not recorded. */
export function pieceAdded(piece: Piece): Cause {
  const words = `${pieceName(piece)} was added`
  return piece.kind === 'response' ? cause('function-response-added', words) : cause('part-added', words)
}

/**
 * The causes of a difference between two pieces of one kind.
 *
 * @param noun - The piece, in words.
 */
export function explainPiece(recorded: Piece, received: Piece, noun: string): readonly Cause[] {
  const said = sameJson(recorded.says, received.says)
  const causes = [
    ...explainIdentity(recorded, received, noun),
    ...(said ? [] : [explainSaid(received.kind, noun)]),
    ...explainSignature(recorded, received, noun),
  ]
  return causes.length === 0 ? [cause('part-changed', `${noun} changed`)] : causes
}

function explainIdentity(recorded: Piece, received: Piece, noun: string): readonly Cause[] {
  const isResponse = received.kind === 'response'
  const name: readonly Cause[] =
    recorded.name === received.name
      ? []
      : [
          cause(
            isResponse ? 'function-response-name-changed' : 'function-call-changed',
            `${noun} is one of ${quoted(received.name)}, recorded as one of ${quoted(recorded.name)}`,
          ),
        ]
  if (recorded.id === received.id) return name
  return [
    ...name,
    isResponse
      ? cause(
          'function-response-id-changed',
          `${noun} answers call ${quoted(received.id)}, recorded as the answer to call ${quoted(recorded.id)}`,
          ANSWERED,
        )
      : cause(
          'function-call-changed',
          `${noun} has id ${quoted(received.id)}, recorded with ${quoted(recorded.id)}`,
        ),
  ]
}

function explainSaid(kind: PieceKind, noun: string): Cause {
  switch (kind) {
    case 'user-text':
      return cause('user-text-changed', `${noun} changed`)
    case 'model-text':
      return cause('model-text-changed', `${noun} is sent back changed`)
    case 'thought':
      return cause('thought-changed', `${noun} is sent back changed`)
    case 'call':
      return cause('function-call-changed', `${noun} is sent back with other arguments`)
    case 'response':
      return cause('function-response-changed', `${noun} says something else`)
    case 'media':
      return cause('media-changed', `${noun} changed`)
    case 'file':
      return cause('file-changed', `${noun} is another`)
    case 'other':
      return cause('part-changed', `${noun} changed`)
  }
}

function explainSignature(recorded: Piece, received: Piece, noun: string): readonly Cause[] {
  if (recorded.signature === received.signature) return []
  if (received.signature === undefined) {
    return [cause('thought-signature-missing', `the thought signature of ${noun} is missing`, SIGNED)]
  }
  return recorded.signature === undefined
    ? [cause('thought-signature-added', `${noun} has a thought signature, recorded without one`, SIGNED)]
    : [cause('thought-signature-changed', `the thought signature of ${noun} changed`, SIGNED)]
}
