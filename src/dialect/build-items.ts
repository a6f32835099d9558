/**
 * What an answer that is written by hand says: text, thoughts, calls, and what stands around them.
 *
 * The same words serve for models, Interactions and Live; each API spells them in a file of its own
 * (`build-models.ts`, `build-interactions.ts`, `build-live.ts`). Nothing here knows of a cassette.
 *
 * Room: dialect.
 */
import { WiretapeError } from '../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'

/** A stretch of text. */
export interface TextItem {
  /** Always `text`. */
  readonly type: 'text'
  /** What it says. */
  readonly text: string
  /** Base64, as the model signed it. */
  readonly signature: string | undefined
}

/** A thought, or a piece of one. */
export interface ThoughtItem {
  /** Always `thought`. */
  readonly type: 'thought'
  /** What is thought; may be empty. */
  readonly text: string
  /** Base64, as the model signed it. */
  readonly signature: string | undefined
  /** Where a streamed interaction has the signature. */
  readonly signed: 'start' | 'end'
}

/** A function call, whole. */
export interface CallItem {
  /** Always `call`. */
  readonly type: 'call'
  /** Of the function. */
  readonly name: string
  /** Its arguments. */
  readonly args: JsonObject
  /** Undefined: numbered by the builder. Empty: none. */
  readonly id: string | undefined
  /** Base64, as the model signed it. */
  readonly signature: string | undefined
  /** Which of its keys comes first. */
  readonly keys: 'name-first' | 'id-first'
}

/** One argument of a streamed call, in pieces. */
export interface ArgumentItem {
  /** Always `argument`. */
  readonly type: 'argument'
  /** E.g. `$.harbour`. */
  readonly path: string
  /** Its value; of a text the pieces, in order. */
  readonly pieces: readonly JsonValue[]
}

/** A function call whose arguments come in pieces. */
export interface StreamedCallItem {
  /** Always `streamed-call`. */
  readonly type: 'streamed-call'
  /** Of the function. */
  readonly name: string
  /** Its arguments by path, or their JSON text. */
  readonly pieces: readonly (string | ArgumentItem)[]
  /** As that of a {@link CallItem}. */
  readonly id: string | undefined
  /** Base64, as the model signed it. */
  readonly signature: string | undefined
}

/** Sound, a picture, a document. */
export interface MediaItem {
  /** Always `media`. */
  readonly type: 'media'
  /** E.g. `image/png`. */
  readonly mimeType: string
  /** What it holds. */
  readonly bytes: Uint8Array
}

/** Any part, as the API spells it. */
export interface PartItem {
  /** Always `part`. */
  readonly type: 'part'
  /** Its fields. */
  readonly value: JsonObject
}

/** What can be said in one part; a string is a text. */
export type Saying = string | TextItem | ThoughtItem | CallItem | MediaItem | PartItem

/** A signature, and how a caller gives one. */
export interface SignatureOptions {
  /** Base64, kept byte for byte. */
  readonly signature?: string | undefined
}

/** Text that is signed; a string is enough for any other. */
export function text(said: string, { signature }: SignatureOptions = {}): TextItem {
  return { type: 'text', text: said, signature }
}

/**
 * A thought. In a streamed interaction it is a step of its own, with its summary and its signature; an empty
 * text is a thought that has a signature alone.
 *
 * @param options - `signed: 'start'` puts the signature of a streamed interaction into `step.start`.
 */
export function thought(
  said: string,
  options: SignatureOptions & { readonly signed?: 'start' | 'end' | undefined } = {},
): ThoughtItem {
  return { type: 'thought', text: said, signature: options.signature, signed: options.signed ?? 'end' }
}

/** How a call is identified and signed. */
export interface CallOptions extends SignatureOptions {
  /** What its response refers to. Unless given the builder numbers calls, `call-1`; an empty one is left out. */
  readonly id?: string | undefined
}

/**
 * A function call.
 *
 * @param options - `keys: 'id-first'` spells the id before the name, as some services do.
 */
export function call(
  name: string,
  args: object = {},
  options: CallOptions & { readonly keys?: 'name-first' | 'id-first' | undefined } = {},
): CallItem {
  const { id, signature, keys = 'name-first' } = options
  return { type: 'call', name, args: plainObject(args, `the arguments of ${name}`), id, signature, keys }
}

/**
 * A function call whose arguments are streamed.
 *
 * @param pieces - On a model {@link argument}s, on an interaction the JSON text of the arguments in pieces.
 */
export function streamedCall(
  name: string,
  pieces: readonly (string | ArgumentItem)[],
  { id, signature }: CallOptions = {},
): StreamedCallItem {
  return { type: 'streamed-call', name, pieces, id, signature }
}

/** One argument of a {@link streamedCall} on a model: its JSON path, and its value in pieces; an empty last one closes a text. */
export function argument(
  path: string,
  ...pieces: readonly (string | number | boolean | null)[]
): ArgumentItem {
  if (pieces.length === 0)
    throw wrongUse(`argument('${path}') has no value.`, 'Give its value, or the pieces of it.')
  return { type: 'argument', path, pieces }
}

/** Sound, a picture or a document as the model's own part. From 192 bytes on it becomes a file beside the cassette. */
export function media(mimeType: string, bytes: Uint8Array): MediaItem {
  return { type: 'media', mimeType, bytes }
}

/** Any part, spelled as the API spells it: executed code, files, what is new. */
export function part(value: object): PartItem {
  return { type: 'part', value: plainObject(value, 'this part') }
}

/** What is wrong with a call of the builder, and what to do instead. */
export function wrongUse(what: string, hint: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', what, { hint })
}

/** The JSON of a value as `JSON.stringify` gives it; throws `WIRETAPE_USAGE` where there is none. */
export function plain(value: unknown, what: string): JsonValue {
  let spelled: string | undefined
  try {
    spelled = JSON.stringify(value)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw wrongUse(`${what}: ${reason}`, 'Give what JSON can hold.')
  }
  if (spelled === undefined)
    throw wrongUse(`${what}: ${String(value)} is no JSON.`, 'Give what JSON can hold.')
  const read: JsonValue = JSON.parse(spelled)
  return read
}

/** The same for an object. */
export function plainObject(value: object, what: string): JsonObject {
  const read = plain(value, what)
  if (isJsonObject(read)) return read
  throw wrongUse(`${what} is no object.`, 'Give an object with the fields of the API.')
}
