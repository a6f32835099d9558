/**
 * What a request asks for, free of where and by whom it was asked.
 *
 * Room: dialect.
 */
import { unnumbered } from '../redact/placeholders.ts'
import { withoutOrigin } from '../wire/url.ts'
import { hostKind } from './hosts.ts'
import type { Dialect, Operation, RequestLine } from './dialect.ts'
import { generateContent } from './generate-content.ts'
import { interactions } from './interactions.ts'
import { live, liveHandshake } from './live.ts'
import { unknown } from './unknown.ts'
import { withoutProject } from './vertex.ts'

/** In the order in which they are asked whether a request is theirs; the last takes all. */
const DIALECTS: readonly Dialect[] = [interactions, generateContent, liveHandshake, unknown]

/** The scheme of a socket's address (RFC 6455 §3). */
const SOCKET_URL = /^wss?:/i

/** Parameters that say who asks, not what. */
const CREDENTIALS: ReadonlySet<string> = new Set(['key', 'access_token'])

/** An API version: any, since it is a free setting of every SDK (`httpOptions.apiVersion`), and may be empty. */
const VERSION = /^v\d+\w*$/

/**
 * The operation of a request. Never fails: an unknown route has the dialect `unknown` and its own path, and
 * a socket is one of Live, whatever its route is.
 */
export function operationOf(request: RequestLine): Operation {
  if (isSocketUrl(request.url)) return { dialect: liveHandshake, key: live.operation(request.url) }
  const method = request.method.toUpperCase()
  const [, path = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(withoutOrigin(request.url)) ?? []
  const route = routeOf(path)
  const dialect = DIALECTS.find(candidate => candidate.owns(method, route)) ?? unknown
  return { dialect, key: unnumbered(`${method} ${route === '' ? '/' : route}${queryOf(query)}`) }
}

/** The names that a cassette may give. */
export const DIALECT_NAMES: readonly string[] = DIALECTS.map(({ name }) => name)

/** The dialect that a cassette names; undefined for a name that is none. */
export function dialectNamed(name: string): Dialect | undefined {
  return DIALECTS.find(dialect => dialect.name === name)
}

/**
 * The API version at the end of a base URL, where every client's own path would bring it a second time. A gateway may
 * have a `v1` of its own; the name of a preview, `v1beta`, is the service's, and so is all at its own hosts.
 */
export function versionBehind(base: string): string | undefined {
  const { hostname, pathname } = new URL(base)
  const last = pathname.split('/').findLast(segment => segment !== '') ?? ''
  if (/^v\d+(?:alpha|beta)\d*$/.test(last)) return last
  return hostKind(hostname) === 'service' && VERSION.test(last) ? last : undefined
}

/** True for the address of a socket, `wss:` or `ws:`. */
export function isSocketUrl(url: string): boolean {
  return SOCKET_URL.test(url)
}

/**
 * `/v1beta//models%2Fm:countTokens` and `models/m:countTokens` are the same. One client leaves its whole
 * Vertex prefix encoded (js-genai Interactions under a base URL with a path), and some double a slash.
 */
function routeOf(path: string): string {
  const segments = path
    .replace(/%2f/gi, '/')
    .replace(/%3a/gi, ':')
    .split('/')
    .filter(segment => segment !== '')
  const versionAt = segments[0] === 'upload' || segments[0] === 'download' ? 1 : 0
  if (VERSION.test(segments[versionAt] ?? '')) segments.splice(versionAt, 1)
  const route = withoutProject(segments.join('/'))
  return route.replace(/^publishers\/google\/models(?=$|[/])/, 'models')
}

/** The parameters in the order of their names, without credentials; begins with `?` where there are any. */
function queryOf(query: string): string {
  const parameters = query
    .split('&')
    .filter(parameter => parameter !== '')
    .map(parameter => {
      const [name = '', ...value] = parameter.split('=')
      return { name: decoded(name), value: value.length === 0 ? undefined : decoded(value.join('=')) }
    })
    .filter(({ name }) => !CREDENTIALS.has(name.toLowerCase()))
    // Stable, and by code unit: the order of equal names is meaning.
    .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
    .map(({ name, value }) => (value === undefined ? encoded(name) : `${encoded(name)}=${encoded(value)}`))
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Encodes what would be read as something else in a query. The rest stays legible. */
function encoded(text: string): string {
  return text.replace(/[\s%&=+#]/g, character => encodeURIComponent(character))
}
