/** What a runtime sent, in one shape for the three APIs: the parts of its requests and messages. */
import { shallow } from '../../../src/dialect/live-fold.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import type { Received, Run } from './run.ts'
import { items, textOf } from '../json.ts'
import { signatureOf } from './say-parts.ts'

/** A part that was sent. */
export interface SentPart {
  /** Whose part the runtime says it is. */
  readonly role: 'user' | 'model'
  readonly kind: 'text' | 'call' | 'response' | 'other'
  readonly text: string
  readonly thought: boolean
  /** Of a call or a response. */
  readonly id: string | undefined
  readonly name: string | undefined
  readonly args: JsonObject | undefined
  readonly signature: string | undefined
  /** The content that it is in, of this request or message, from 0. */
  readonly content: number
  /** True for a part without any field. */
  readonly empty: boolean
}

/** The handle by which a setup takes up a session; undefined where it begins one. */
export function handleIn(setup: JsonValue | undefined): string | undefined {
  return textOf(shallow(shallow(setup)['sessionResumption'])['handle'])
}

/** A request for an answer, over HTTP. */
export function isModelRequest({ operation }: Received): boolean {
  return /:(?:generateContent|streamGenerateContent)\b|POST .*\binteractions(?:\?|$)/.test(operation)
}

/** The requests for an answer, in order. */
export function modelRequests({ received }: Run): readonly Received[] {
  return received.filter(isModelRequest)
}

/** The parts of a request or a message, in order. */
export function sentParts({ body, message }: Received): readonly SentPart[] {
  if (isJsonObject(body)) {
    const { contents, input } = shallow(body)
    return input === undefined ? contentsOf(contents) : stepsOf(input)
  }
  const { clientContent, toolResponse } = shallow(message)
  const responses = items(shallow(toolResponse)['functionResponses'])
  return [
    ...contentsOf(shallow(clientContent)['turns']),
    ...responses.map(response => ({
      ...NOTHING,
      kind: 'response' as const,
      ...named(response),
      empty: false,
    })),
  ]
}

/** True if a thought was sent that is a signature alone: what the session has of it may be in words of its own. */
export function sentSignatureAlone({ received }: Run): boolean {
  return received
    .flatMap(sentParts)
    .some(
      ({ kind, thought, text, signature }) =>
        kind === 'text' && thought && text === '' && signature !== undefined,
    )
}

const NOTHING: SentPart = {
  role: 'user',
  kind: 'other',
  text: '',
  thought: false,
  id: undefined,
  name: undefined,
  args: undefined,
  signature: undefined,
  content: 0,
  empty: true,
}

/** The contents of a request; each with at least one part, an empty one where it has none. */
function contentsOf(contents: JsonValue | undefined): readonly SentPart[] {
  return items(contents).flatMap((item, content) => {
    const { role, parts } = shallow(item)
    const place = { ...NOTHING, role: role === 'model' ? 'model' : 'user', content } as const
    const found = items(parts)
    return found.length === 0 ? [place] : found.map(part => ({ ...place, ...partOf(shallow(part)) }))
  })
}

function partOf(part: JsonObject): Partial<SentPart> {
  const { text, thought, functionCall, functionResponse, thoughtSignature } = part
  const signature = signatureOf(thoughtSignature)
  if (functionCall !== undefined) return { kind: 'call', ...named(functionCall), signature, empty: false }
  if (functionResponse !== undefined)
    return { kind: 'response', ...named(functionResponse), signature, empty: false }
  // A signature alone is one on an empty text.
  if (text === undefined && signature !== undefined)
    return { kind: 'text', thought: thought === true, signature, empty: false }
  if (typeof text !== 'string') return { signature, empty: Object.keys(part).length === 0 }
  return {
    kind: 'text',
    text,
    thought: thought === true,
    signature,
    empty: text === '' && signature === undefined,
  }
}

function named(value: JsonValue): Pick<SentPart, 'id' | 'name' | 'args'> {
  const { id, name, args } = shallow(value)
  return { id: textOf(id), name: textOf(name), args: isJsonObject(args) ? args : undefined }
}

/** The input of an interaction: a text, one content, or steps. */
function stepsOf(input: JsonValue): readonly SentPart[] {
  if (typeof input === 'string') return [{ ...NOTHING, kind: 'text', text: input, empty: input === '' }]
  return (isJsonObject(input) ? [input] : items(input)).flatMap((step, content) =>
    isJsonObject(step) ? stepParts(step).map(part => ({ ...NOTHING, empty: false, ...part, content })) : [],
  )
}

function stepParts(step: JsonObject): readonly Partial<SentPart>[] {
  const { type, id, name, arguments: args, call_id: callId, summary, content, text } = step
  const signature = signatureOf(step['signature'])
  switch (type) {
    case 'thought':
      return [{ role: 'model', kind: 'text', thought: true, text: textsIn(summary), signature }]
    case 'model_output':
      return [{ role: 'model', kind: 'text', text: textsIn(content), signature }]
    case 'function_call':
      return [
        {
          role: 'model',
          kind: 'call',
          id: textOf(id),
          name: textOf(name),
          args: isJsonObject(args) ? args : undefined,
          signature,
        },
      ]
    case 'function_result':
      return [{ kind: 'response', id: textOf(callId), name: textOf(name) }]
    case 'text':
      return [{ kind: 'text', text: textOf(text) ?? '' }]
  }
  // The older spelling: turns with a role and contents.
  const role = step['role'] === 'model' ? 'model' : 'user'
  return [{ role, kind: 'text', text: textsIn(content) }]
}

function textsIn(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  return items(content)
    .map(item => (isJsonObject(item) ? (textOf(item['text']) ?? '') : ''))
    .join('')
}
