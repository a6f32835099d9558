/** Thought signatures and thoughts: what goes back to the service, and on which part (I18 to I21). */
import type { WirePart } from './wire-parts.ts'
import type { Finding, Invariant, Part, Run } from './run.ts'
import { modelRequests, sentParts, type SentPart } from './sent.ts'
import { endedWell, fromModel, isSdk, partsIn, plainSignature, played, wireParts, wireTexts } from './view.ts'
import type { WireExchange } from './wire.ts'
import { callLabel, kindOf, partLabel, shown } from './words.ts'

/** A part that has, or might have, a signature: of a request, or of a session. */
type Held = Pick<SentPart, 'kind' | 'text' | 'thought' | 'id' | 'name' | 'args' | 'signature'>

/** A signed part of the wire, and the requests that came after it in the same conversation. */
interface Signed {
  readonly part: WirePart
  readonly signature: string
  readonly later: readonly (readonly SentPart[])[]
  /** The service has the history: what went before need not be sent again. */
  readonly keptByService: boolean
}

/**
 * Not of Live, where the service has the history. Of Interactions, a request that names the one before need not
 * send the thought again; what it sends again it sends whole, and what the session has is judged instead.
 */
const signaturesReturned: Invariant = {
  number: 'I18',
  says: 'Every thought signature comes back byte for byte, on the part it came on: in the next request, or in the session where none follows or the service keeps the history.',
  judge(run) {
    const signed = signedParts(run)
    if (signed.length === 0) return undefined
    return signed.flatMap(({ part, signature, later, keptByService }): readonly Finding[] => {
      const what = `the signature ${signature} of ${partLabel(part)}`
      const next = later.find(parts => parts.some(held => isSame(held, part)))
      if (next !== undefined && !carries(next, part, signature))
        return [`${what} is not on it in the next request`]
      if (next !== undefined) return []
      if (!keptByService && later.length > 0) {
        if (run.scenario.agent === 'delegating') return []
        return [`${what} is not in the next request, and neither is the part`]
      }
      const { session } = run.transcript
      if (session === null || carries(partsIn(fromModel(session)).map(heldOf), part, signature)) return []
      return [`${what} is not on it in the session`]
    })
  },
}

/** Those of answers that a request follows, or that a session should hold. */
function signedParts(run: Run): readonly Signed[] {
  const requests = modelRequests(run)
  return played(run)
    .filter(exchange => exchange.api !== 'live' && endedWell(exchange))
    .flatMap(exchange => {
      const at = requests.findLastIndex(request => request.exchange === exchange.number)
      const later = requests
        .slice(at + 1)
        .filter(({ exchange: number }) => isSameModel(run, exchange, number))
      const keptByService = exchange.api === 'interactions' && later.some(isContinued)
      return wireParts([exchange]).flatMap(part => {
        const { signature } = part
        return signature === undefined
          ? []
          : [{ part, signature, later: later.map(sentParts), keptByService }]
      })
    })
}

function isContinued({ body }: { readonly body?: unknown }): boolean {
  return typeof body === 'object' && body !== null && 'previous_interaction_id' in body
}

/** What one model signed, another need not get: see I21. */
function isSameModel({ wire }: Run, { model }: WireExchange, number: number | undefined): boolean {
  const other = wire.find(exchange => exchange.number === number)
  return other === undefined || other.model === model
}

/** True if a part is the logical part of the wire, signed or not. */
function isSame(held: Held, part: WirePart): boolean {
  if (part.kind === 'call') return held.kind === 'call' && isCall(held, part)
  if (part.kind !== 'text') return false
  if (held.kind !== 'text') return false
  // A thought that comes back as an answer is that thought: that is I20, and its signature is gone.
  if (part.text === '') return held.text === '' && held.signature !== undefined
  return held.text !== '' && (held.text.includes(part.text) || part.text.endsWith(held.text))
}

/** An id of the runtime's own, as the programs number them: what call it is of, the call tells. */
const MADE_UP = /^made-up-/

/** Whether a call that came in pieces has the right arguments, or pieces of them, is I14. */
function isCall(held: Held, part: Extract<WirePart, { kind: 'call' }>): boolean {
  if (held.id !== undefined && part.id !== undefined && !MADE_UP.test(held.id)) return held.id === part.id
  if (held.name !== part.name) return false
  return part.streamed || JSON.stringify(held.args ?? {}) === JSON.stringify(part.args)
}

/** True if the signature is on the part, or on an empty text beside it, where it was text. */
function carries(parts: readonly Held[], part: WirePart, signature: string): boolean {
  return parts.some(
    held =>
      held.signature === signature &&
      (isSame(held, part) ||
        (part.kind === 'text' && held.kind === 'text' && held.text === '' && held.thought === part.thought)),
  )
}

function heldOf({ text, thought, functionCall, thoughtSignature }: Part): Held {
  return {
    kind:
      functionCall !== undefined
        ? 'call'
        : text === undefined && thoughtSignature === undefined
          ? 'other'
          : 'text',
    text: text ?? '',
    thought: thought === true,
    id: functionCall?.id,
    name: functionCall?.name,
    args: JSON.parse(JSON.stringify(functionCall?.args ?? {})),
    signature: thoughtSignature === undefined ? undefined : plainSignature(thoughtSignature),
  }
}

/** A signature that says that there is none, as Google's documents allow it (`thought-signatures`). */
const STAND_INS: ReadonlySet<string> = new Set(
  ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'].flatMap(text => [
    plainSignature(text),
    plainSignature(btoa(text)),
  ]),
)

/** It applies where the wire has a signature, or something that was sent or stored has. */
const signaturesInPlace: Invariant = {
  number: 'I19',
  says: 'No thought signature is copied to another part, merged with another, or made up.',
  judge(run) {
    const wire = wireParts(played(run)).filter(({ signature }) => signature !== undefined)
    const places: readonly (readonly [string, readonly Held[]])[] = [
      ['the session', partsIn(fromModel(run.transcript.session ?? [])).map(heldOf)],
      ...modelRequests(run).map((request, index) => [`request ${index + 1}`, sentParts(request)] as const),
    ]
    if (
      wire.length === 0 &&
      !places.some(([, parts]) => parts.some(({ signature }) => signature !== undefined))
    )
      return undefined
    return [...new Set(places.flatMap(([where, parts]) => misplaced(where, parts, wire)))]
  },
}

function misplaced(where: string, parts: readonly Held[], wire: readonly WirePart[]): readonly Finding[] {
  const signed = parts.filter(({ signature }) => signature !== undefined && !STAND_INS.has(signature))
  return signed.flatMap((held, index): readonly Finding[] => {
    const owners = wire.filter(({ signature }) => signature === held.signature)
    const [owner] = owners
    const has = `${where} has the signature ${held.signature} on ${heldLabel(held)}`
    if (owner === undefined) return [`${has}, and it is not on the wire`]
    if (!owners.some(part => isPlace(held, part))) return [`${has}; on the wire it is on ${partLabel(owner)}`]
    const before = signed.slice(0, index).filter(({ signature }) => signature === held.signature)
    return before.length >= owners.length ? [`${has} once more: it is there ${before.length + 1} times`] : []
  })
}

/** Empty text may carry what text before it was signed with, and the other way round. */
function isPlace(held: Held, part: WirePart): boolean {
  if (part.kind === 'text') return held.kind === 'text' && held.thought === part.thought
  if (part.kind === 'call') return held.kind === 'call' && isCall(held, part)
  return held.kind === 'other'
}

/** It applies where a thought was on the wire and something was sent after it. */
const thoughtsStayThoughts: Invariant = {
  number: 'I20',
  says: 'What the model thought is never sent back as what it said.',
  judge(run) {
    const exchanges = played(run)
    const thoughts = wireTexts(exchanges, 'thought').filter(({ text }) => text !== '')
    if (thoughts.length === 0 || run.received.length < 2) return undefined
    const spoken = wireTexts(exchanges, 'text').map(({ text }) => text)
    const sent = run.received
      .flatMap(sentParts)
      .filter(part => part.role === 'model' && part.kind === 'text' && !part.thought)
    return [
      ...new Set(
        thoughts.flatMap(({ text, chunks }) =>
          sent
            .filter(part =>
              [text, ...chunks.map(chunk => chunk.text)].some(
                piece => piece.trim() !== '' && part.text.includes(piece),
              ),
            )
            .filter(part => !spoken.some(other => other.includes(part.text)))
            .map(
              part =>
                `${shown(text)} is a thought on the wire, and was sent back as the model's answer: ${shown(part.text)}`,
            ),
        ),
      ),
    ]
  },
}

/**
 * It applies where an agent goes on with another model; what that one takes is not known: none is the safe way. Of a
 * client library, the app hands the history of the one to the other.
 */
const signaturesOfOwnModel: Invariant = {
  number: 'I21',
  says: 'A signature that one model made is not sent to another.',
  judge(run) {
    if (isSdk(run.transcript)) return undefined
    const requests = modelRequests(run)
    const exchanges = played(run)
    const stale = exchanges.flatMap((exchange, index) => {
      const others = exchanges.slice(index + 1).filter(({ model }) => model !== exchange.model)
      return wireParts([exchange]).flatMap(({ signature }) =>
        signature === undefined ? [] : others.map(other => ({ signature, exchange, other })),
      )
    })
    if (stale.length === 0) return undefined
    return stale.flatMap(({ signature, exchange, other }): readonly Finding[] => {
      const request = requests.find(({ exchange: number }) => number === other.number)
      if (request === undefined || !sentParts(request).some(part => part.signature === signature)) return []
      return [`the signature ${signature} of ${exchange.model} was sent to ${other.model}`]
    })
  },
}

function heldLabel(held: Held): string {
  if (held.kind === 'call') return `the call ${callLabel(held)}`
  if (held.kind === 'text') return `the ${kindOf(held)} ${shown(held.text)}`
  return 'another part'
}

/** All of them. */
export const SIGNATURES: readonly Invariant[] = [
  signaturesReturned,
  signaturesInPlace,
  thoughtsStayThoughts,
  signaturesOfOwnModel,
]
