/**
 * A request as undici's clients give it to a dispatcher, in the form in which the replay takes one.
 *
 * Room: serve.
 */
import { stringify } from 'node:querystring'
import type { Dispatcher, FormData as Form } from 'undici'
import { headerValue, type HeaderList } from '../wire/headers.ts'
import type { RequestInput } from '../replay/asked.ts'
import { decodedBody } from './decode.ts'

/** What is asked for: the path, its query included. */
export function targetOf({ path, query }: Dispatcher.DispatchOptions): string {
  const asked = query === undefined || query === null ? '' : stringify(query)
  return asked === '' ? path : `${path}?${asked}`
}

/** Reads the whole of a request. Rejects with what its body fails with. */
export async function requestOf(
  options: Dispatcher.DispatchOptions,
): Promise<Omit<RequestInput, 'type' | 'id'>> {
  const { method, origin = 'http://127.0.0.1' } = options
  const { bytes, type } = await bodyOf(options.body ?? undefined)
  const given = headersOf(options.headers ?? undefined)
  const headers: HeaderList =
    type === undefined || headerValue(given, 'content-type') !== undefined
      ? given
      : [...given, ['content-type', type]]
  const body = await decodedBody(bytes, headerValue(headers, 'content-encoding'))
  return { method, url: targetOf(options), headers, body, origin: String(origin) }
}

type GivenHeaders = NonNullable<Dispatcher.DispatchOptions['headers']>

/** Fields as a flat list, as pairs or as an object. */
function headersOf(headers: GivenHeaders | undefined): HeaderList {
  if (headers === undefined) return []
  if (Array.isArray(headers)) {
    const flat: unknown[] = headers
    return flat.flatMap((name, index) => (index % 2 === 0 ? fieldsOf(String(name), flat[index + 1]) : []))
  }
  const pairs: Iterable<[string, unknown]> =
    Symbol.iterator in headers && typeof headers[Symbol.iterator] === 'function'
      ? (headers as Iterable<[string, unknown]>)
      : Object.entries(headers)
  return [...pairs].flatMap(([name, value]) => fieldsOf(name, value))
}

function fieldsOf(name: string, value: unknown): HeaderList {
  if (value === undefined || value === null) return []
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.map((one): [string, string] => [
    name,
    Buffer.isBuffer(one) ? one.toString('latin1') : String(one),
  ])
}

/** What undici takes as a body, and what it does not declare that it takes. */
type GivenBody = NonNullable<Dispatcher.DispatchOptions['body']> | ArrayBuffer | Blob | AsyncIterable<unknown>

interface Body {
  readonly bytes: Uint8Array
  /** The content type that such a body has where none is given. */
  readonly type: string | undefined
}

async function bodyOf(body: GivenBody | undefined): Promise<Body> {
  if (body === undefined) return { bytes: new Uint8Array(), type: undefined }
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: undefined }
  if (body instanceof ArrayBuffer) return { bytes: new Uint8Array(body), type: undefined }
  if (ArrayBuffer.isView(body)) {
    return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength), type: undefined }
  }
  if (body instanceof Blob) return encoded(body)
  if (isForm(body)) {
    // That of the undici package is another class than the platform's.
    const form = new FormData()
    for (const [name, value] of body) form.append(name, value)
    return encoded(form)
  }
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(pieceOf(piece))
  return { bytes: Buffer.concat(pieces), type: undefined }
}

async function encoded(body: Blob | FormData): Promise<Body> {
  const response = new Response(body)
  const type = response.headers.get('content-type') ?? undefined
  return { bytes: new Uint8Array(await response.arrayBuffer()), type }
}

function isForm(body: object): body is Form {
  return Symbol.iterator in body && Reflect.get(body, Symbol.toStringTag) === 'FormData'
}

function pieceOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece
  return Buffer.from(String(piece))
}
