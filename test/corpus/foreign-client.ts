/**
 * The test server's recordings of another project, as cassettes, and a client in another language that sends the
 * same requests: its own spacing and key case, another API version, another project, headers of its own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Exchange, RecordedResponse } from '../../src/cassette/model.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import type { JsonObject, JsonValue } from '../../src/wire/json.ts'

/** One request and its answer, as the test server keeps them. */
interface Kept {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly serverAddress: string
    readonly headers: Readonly<Record<string, string>>
    readonly bodySegments: readonly JsonObject[]
  }
  readonly response: {
    readonly statusCode: number
    readonly headers: Readonly<Record<string, string>>
    readonly bodySegments?: readonly JsonValue[]
  }
}

/** A recording: its file, its exchanges, and the cassette that they make. */
export interface Recording {
  readonly name: string
  readonly kept: readonly Kept[]
  readonly yaml: string
}

/** Every recording in the folder. */
export function recordings(corpus: string): readonly Recording[] {
  const folder = join(corpus, 'js-genai/testserver')
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => {
      const { interactions } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        readonly interactions: readonly Kept[]
      }
      const documents = interactions.map(kept => ({ type: 'exchange' as const, exchange: exchangeOf(kept) }))
      const header = { type: 'header' as const, header: { cassette: 1 as const } }
      return {
        name: basename(name, '.json'),
        kept: interactions,
        yaml: renderCassette([header, ...documents]),
      }
    })
}

function exchangeOf({ request, response }: Kept): Exchange {
  const [body] = request.bodySegments
  return {
    exchange: 'generate-content',
    request: {
      method: request.method,
      url: `https://${request.serverAddress}${request.url}`,
      headers: [],
      body: body === undefined ? undefined : { type: 'value', value: body },
    },
    response: responseOf(response),
    end: { at: 2, how: undefined },
    line: 1,
  }
}

function responseOf({ statusCode, headers, bodySegments = [] }: Kept['response']): RecordedResponse {
  const type = headers['Content-Type'] ?? 'application/json; charset=UTF-8'
  const base = { at: 1, status: statusCode, headers: [['content-type', type]] as const, trailers: [] }
  if (type.startsWith('text/event-stream')) {
    return {
      ...base,
      events: bodySegments.map(segment => ({ data: { type: 'text', text: JSON.stringify(segment) } })),
    }
  }
  const [body] = bodySegments
  return body === undefined ? base : { ...base, body: { type: 'text', text: JSON.stringify(body) } }
}

/** What a client sends. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The request as the foreign client sends it. */
export function foreign({ request }: Kept, change: (body: JsonObject) => JsonObject = body => body): Sent {
  const [body = {}] = request.bodySegments
  return {
    method: request.method,
    path: request.url
      .replace(/^\/v1beta\//, '/v1alpha/')
      .replace(/^\/v1beta1\//, '/v1/')
      .replace(/\/projects\/[^/]+\//, '/projects/a-project-of-mine/'),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'google-genai-sdk/1.70.0 gl-python/3.13.5',
      'x-goog-api-client': 'google-genai-sdk/1.70.0 gl-python/3.13.5',
      'x-goog-api-key': 'replayed-by-wiretape',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate',
    },
    body: new TextEncoder().encode(spelled(snake(change(body)))),
  }
}

/** Fields whose values are the user's own, or a schema: they are sent as they are. */
const AS_IS: ReadonlySet<string> = new Set([
  'args',
  'headers',
  'instances',
  'labels',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
  'responseSchema',
])

/** The envelope in snake_case, bytes in the URL-safe alphabet, as python-genai has them. */
function snake(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(snake)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] => {
      const name = key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
      if (AS_IS.has(key)) return [name, item]
      if ((key === 'thoughtSignature' || key === 'data') && typeof item === 'string') {
        return [name, item.replaceAll('+', '-').replaceAll('/', '_')]
      }
      return [name, snake(item)]
    }),
  )
}

/** `json.dumps` with its defaults: a blank after each comma and colon, nothing but ASCII. */
function spelled(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spelled).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${spelled(key)}: ${spelled(item)}`)
      .join(', ')}}`
  }
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    character => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
