/**
 * Parts and contents as models and their users say them, written by hand.
 *
 * Room: dialect.
 */
import { encodeBase64 } from '../wire/base64.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import type { CallIds } from './build-ids.ts'
import { plain, wrongUse, type CallItem, type Saying, type StreamedCallItem } from './build-items.ts'

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
export interface Turn {
  /** Always `turn`. */
  readonly type: 'turn'
  /** Who says it. */
  readonly role: 'user' | 'model'
  /** What is said. */
  readonly said: readonly (Saying | FunctionResult)[]
}

/** What the user says, for a request. */
export function user(...said: readonly (Saying | FunctionResult)[]): Turn {
  return { type: 'turn', role: 'user', said }
}

/** What the model has said before, for a request. A call that this cassette made has the id that it was made with. */
export function model(...said: readonly Saying[]): Turn {
  return { type: 'turn', role: 'model', said }
}

/** What a function gave. */
export interface FunctionResult {
  /** Always `result`. */
  readonly type: 'result'
  /** Of the function, or the call itself. */
  readonly call: string | CallItem | StreamedCallItem
  /** What it gave. */
  readonly response: object
  /** Of the call; undefined where it is not said here. */
  readonly id: string | undefined
}

/**
 * What a function gave, as the app sends it back.
 *
 * @param to - The call that it answers, or the name of the function.
 * @param options - `id`: that of the call, where only its name is said.
 */
export function result(
  to: string | CallItem | StreamedCallItem,
  response: object,
  options: { readonly id?: string | undefined } = {},
): FunctionResult {
  return { type: 'result', call: to, response, id: options.id }
}

/**
 * What is to be sent, with its turns and results as the API spells them; anything else in it is JSON.
 *
 * @param what - How a message names it.
 */
export function resolvedObject(value: object, ids: CallIds, what: string): JsonObject {
  const sent = plain(resolved(value, ids), what)
  if (isJsonObject(sent)) return sent
  throw wrongUse(`${what} is no object.`, 'Give an object with the fields of the API.')
}

function resolved(value: unknown, ids: CallIds): unknown {
  if (Array.isArray(value)) return value.map(item => resolved(item, ids))
  if (!isPlain(value)) return value
  if (isTurn(value)) return contentOf(value, ids)
  if (isResult(value)) return responseOf(value, ids)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, ids)]))
}

/** False for what says itself how it is spelled in JSON, such as a date. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function isTurn(value: object): value is Turn {
  return 'type' in value && value.type === 'turn' && 'said' in value && Array.isArray(value.said)
}

function isResult(value: object): value is FunctionResult {
  return 'type' in value && value.type === 'result' && 'call' in value && 'response' in value
}

function contentOf({ role, said }: Turn, ids: CallIds): JsonObject {
  const parts = said.map(one => {
    if (typeof one === 'string' || one.type !== 'result') return partOf(one, call => ids.find(call))
    return { functionResponse: responseOf(one, ids) }
  })
  return { parts, role }
}

/** The response to a call, as it stands in a content and in a message of its own. */
function responseOf({ call, response, id: own }: FunctionResult, ids: CallIds): JsonObject {
  const name = typeof call === 'string' ? call : call.name
  const id = own ?? (typeof call === 'string' ? undefined : ids.find(call))
  const given = plain(response, `the result of ${name}`)
  return id === undefined || id === '' ? { name, response: given } : { id, name, response: given }
}
