/**
 * What was said, put together: the parts that a right client makes of an answer.
 *
 * Consecutive text of one kind is one part; a call is one part, however many pieces it came in; of Interactions,
 * a step is one part. Nothing is left out but an empty text without a signature.
 */
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import { foldArguments } from './arguments.ts'
import type { Said } from './said.ts'
import type { WireExchange } from './wire.ts'

/** What every part of the wire has. `from` and `to`: by which messages it came, as {@link Said.at}. */
interface Place {
  readonly from: number
  readonly to: number
  /** Undefined: it carried none. */
  readonly signature: string | undefined
}

/** A piece of text, and by which message it came. */
export interface TextChunk {
  readonly text: string
  readonly at: number
}

/** A text, with the pieces that it came in; those that are empty are not among them. */
export interface WireText extends Place {
  readonly kind: 'text'
  readonly thought: boolean
  readonly text: string
  readonly chunks: readonly TextChunk[]
}

/** A function call. */
export interface WireCall extends Place {
  readonly kind: 'call'
  readonly id: string | undefined
  readonly name: string
  readonly args: JsonObject
  /** It came in pieces. */
  readonly streamed: boolean
  /** False where nothing has ended it. */
  readonly closed: boolean
}

/** Sound or a picture, one for each piece. */
export interface WireMedia extends Place {
  readonly kind: 'media'
  readonly mimeType: string
  readonly bytes: number
}

/** Code that the service ran, or what came of it. */
export interface WireCode extends Place {
  readonly kind: 'code' | 'outcome'
  readonly value: JsonValue
}

/** A part as it was on the wire. */
export type WirePart = WireText | WireCall | WireMedia | WireCode

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Draft = (Mutable<WireText> | Mutable<WireCall> | Mutable<WireMedia> | Mutable<WireCode>) & {
  step?: number | undefined
  json?: string
  /** No text is added to it any more. */
  ended?: boolean
}

/** The parts of an exchange, in order. */
export function partsOf(exchange: Pick<WireExchange, 'api' | 'said'>): readonly WirePart[] {
  const drafts = exchange.api === 'interactions' ? stepParts(exchange.said) : streamParts(exchange.said)
  return drafts.filter(
    ({ kind, ...part }) =>
      !(kind === 'text' && 'text' in part && part.text === '' && part.signature === undefined),
  )
}

/** What ends a run of text in Live, whatever comes after. */
const ENDS: ReadonlySet<Said['kind']> = new Set([
  'interrupted',
  'turn-complete',
  'generation-complete',
  'go-away',
])

function streamParts(said: readonly Said[]): readonly Draft[] {
  const drafts: Draft[] = []
  let open: Extract<Draft, { kind: 'call' }> | undefined
  let text: Extract<Draft, { kind: 'text' }> | undefined
  for (const saying of said) {
    const { at, signature } = saying
    const place = { from: at, to: at, signature }
    if (ENDS.has(saying.kind)) text = undefined
    switch (saying.kind) {
      case 'text': {
        if (saying.text === '' && signature === undefined) break
        text = runOn(text, saying, drafts)
        break
      }
      case 'call': {
        text = undefined
        const whole = !saying.willContinue && saying.pieces.length === 0
        if (saying.name === undefined) {
          if (open !== undefined) goOn(open, saying)
        } else {
          const args = foldArguments(saying.pieces, saying.args)
          open = {
            kind: 'call',
            id: saying.id,
            name: saying.name,
            args,
            streamed: !whole,
            closed: !saying.willContinue,
            ...place,
          }
          drafts.push(open)
        }
        if (open?.closed === true) open = undefined
        break
      }
      case 'media':
        drafts.push({ kind: 'media', mimeType: saying.mimeType, bytes: saying.bytes, ...place })
        break
      case 'code':
      case 'outcome':
        text = undefined
        drafts.push({ kind: saying.kind, value: saying.value, ...place })
        break
    }
  }
  return drafts
}

/** Adds a piece to the run that goes on, or begins one. A signed piece is the last of its run. */
function runOn(
  run: Extract<Draft, { kind: 'text' }> | undefined,
  { at, text, thought, signature }: Extract<Said, { kind: 'text' }>,
  drafts: Draft[],
): Extract<Draft, { kind: 'text' }> {
  const chunks = text === '' ? [] : [{ text, at }]
  // A signature on an empty text may stand for what was said before, and may stand alone: it begins no run.
  if (run === undefined || run.thought !== thought || run.ended === true) {
    const begun: Extract<Draft, { kind: 'text' }> = {
      kind: 'text',
      thought,
      text,
      chunks,
      from: at,
      to: at,
      signature,
      ended: signature !== undefined,
    }
    drafts.push(begun)
    return begun
  }
  run.text += text
  run.chunks = [...run.chunks, ...chunks]
  run.to = at
  run.signature = signature
  run.ended = signature !== undefined
  return run
}

function goOn(
  call: Mutable<WireCall>,
  { at, args, pieces, willContinue, signature, id }: Extract<Said, { kind: 'call' }>,
): void {
  call.args = foldArguments(pieces, { ...call.args, ...args })
  call.streamed = true
  call.closed = !willContinue
  call.to = at
  call.id ??= id
  call.signature ??= signature
}

/** Interactions: what belongs together has the same index, in whatever order it comes. */
function stepParts(said: readonly Said[]): readonly Draft[] {
  const drafts: Draft[] = []
  const thoughts = new Set<number | undefined>()
  for (const saying of said) {
    const { at, signature, step } = saying
    const place = { from: at, to: at, step }
    const own = drafts.find(draft => draft.step === step && draft.kind !== 'media')
    switch (saying.kind) {
      case 'step':
        if (saying.begins && saying.type === 'thought') thoughts.add(step)
        if (!saying.begins && own?.kind === 'call') own.closed = true
        break
      case 'text':
        if (own?.kind === 'text') {
          own.text += saying.text
          own.chunks = [...own.chunks, { text: saying.text, at }]
          own.to = at
        } else {
          drafts.push({
            kind: 'text',
            thought: saying.thought,
            text: saying.text,
            chunks: [{ text: saying.text, at }],
            ...place,
            signature,
          })
        }
        break
      case 'call':
        drafts.push({
          kind: 'call',
          id: saying.id,
          name: saying.name ?? '',
          args: saying.args ?? {},
          streamed: false,
          closed: false,
          ...place,
          signature,
        })
        break
      case 'arguments':
        if (own?.kind === 'call') argue(own, saying.json, at)
        break
      case 'signature':
        if (own !== undefined) own.signature = signature
        else
          drafts.push({
            kind: 'text',
            thought: thoughts.has(step),
            text: '',
            chunks: [],
            ...place,
            signature,
          })
        break
      case 'media':
        drafts.push({ kind: 'media', mimeType: saying.mimeType, bytes: saying.bytes, ...place, signature })
        break
    }
  }
  return drafts.toSorted((one, other) => (one.step ?? 0) - (other.step ?? 0))
}

function argue(call: Extract<Draft, { kind: 'call' }>, json: string, at: number): void {
  call.json = (call.json ?? '') + json
  call.streamed = true
  call.to = at
  const value = parseJson(call.json)
  if (isJsonObject(value)) call.args = value
}
