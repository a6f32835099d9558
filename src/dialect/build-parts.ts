/**
 * Parts and contents as models and their users say them, written by hand.
 *
 * Room: dialect.
 */
import { encodeBase64 } from '../wire/base64.ts'
import type { JsonObject } from '../wire/json.ts'
import { plain, type CallItem, type Saying } from './build-items.ts'

/** A part as a model or a user says it. A call without an id gets the one that `idOf` gives. */
export function partOf(said: Saying, idOf: (call: CallItem) => string | undefined): JsonObject {
  if (typeof said === 'string') return { text: said }
  switch (said.type) {
    case 'text':
      return signed({ text: said.text }, said.signature)
    case 'thought':
      return signed({ ...(said.text === '' ? {} : { text: said.text }), thought: true }, said.signature)
    case 'call':
      return signed({ functionCall: callOf(said, idOf(said)) }, said.signature)
    case 'media':
      return { inlineData: { mimeType: said.mimeType, data: encodeBase64(said.bytes) } }
    case 'part':
      return said.value
  }
}

/** The fields of a function call, in the order in which the caller wants them. */
export function callOf({ name, args, keys }: CallItem, id: string | undefined): JsonObject {
  if (id === undefined || id === '') return { name, args }
  return keys === 'id-first' ? { id, name, args } : { name, args, id }
}

/** A part with its signature, where it has one. */
export function signed(value: JsonObject, signature: string | undefined): JsonObject {
  return signature === undefined ? value : { ...value, thoughtSignature: signature }
}

/** One turn of a conversation, for a request or for the history of a socket. */
export interface Content {
  /** What is said, as the API spells it. */
  readonly parts: readonly JsonObject[]
  /** Who says it. */
  readonly role: 'user' | 'model'
}

/** What the user says, for a request. */
export function user(...said: readonly (Saying | FunctionResult)[]): Content {
  return contentOf('user', said)
}

/** What the model has said before, for a request: with the ids and signatures that the app sends back. */
export function model(...said: readonly Saying[]): Content {
  return contentOf('model', said)
}

function contentOf(role: Content['role'], said: readonly (Saying | FunctionResult)[]): Content {
  const parts = said.map(one => {
    if (typeof one === 'string' || one.type !== 'result') return partOf(one, ({ id }) => id)
    return { functionResponse: responseOf(one) }
  })
  return { parts, role }
}

/** What a function gave. */
export interface FunctionResult {
  /** Always `result`. */
  readonly type: 'result'
  /** Of the function. */
  readonly name: string
  /** What it gave. */
  readonly response: object
  /** Of the call; undefined where it had none. */
  readonly id: string | undefined
}

/**
 * What a function gave, as the app sends it back.
 *
 * @param options - `id`: that of the call, where it had one.
 */
export function result(
  name: string,
  response: object,
  options: { readonly id?: string | undefined } = {},
): FunctionResult {
  return { type: 'result', name, response, id: options.id }
}

/** The response to a call, as it stands in a content and in a message of its own. */
export function responseOf({ name, response, id }: FunctionResult): JsonObject {
  const given = plain(response, `the result of ${name}`)
  return id === undefined ? { name, response: given } : { id, name, response: given }
}
