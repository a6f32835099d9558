/**
 * What Vertex adds to a path, and where its requests go.
 *
 * Room: dialect.
 */
import type { HeaderList } from '../wire/headers.ts'

/** Where the Gemini API is (js-genai `_api_client.ts`). */
export const SERVICE_ORIGIN = 'https://generativelanguage.googleapis.com'

const LOCATION = /(?:^|\/|%2f)projects(?:\/|%2f)+[^/?#%]+(?:\/|%2f)+locations(?:\/|%2f)+([^/?#%:]+)/i

/**
 * Where the Vertex request with this path or URL goes: its location's host. Without a location (an API
 * key instead of a project, lists of models) and for `global`, the host without one.
 */
export function vertexOriginOf(path: string): string {
  const [, location = 'global'] = LOCATION.exec(path.replace(/[?#].*$/, '')) ?? []
  const name = location.toLowerCase()
  if (name === 'us' || name === 'eu') return `https://aiplatform.${name}.rep.googleapis.com`
  // Anything but the name of a location could lead the request, and its credentials, to another host.
  if (name === 'global' || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    return 'https://aiplatform.googleapis.com'
  return `https://${name}-aiplatform.googleapis.com`
}

/** A path without version, without the project and location that it may begin with. */
export function withoutProject(path: string): string {
  return path.replace(/^projects\/[^/]+(?:\/locations\/[^/]+)?(?:\/|$)/, '')
}

/** What a Vertex URL says of where it leads. */
export interface VertexPlace {
  readonly project: string | undefined
  readonly location: string | undefined
}

/** Hosts of Vertex, and what only its paths have: one that was recorded through another host has them too. */
const VERTEX =
  /^\w+:\/\/(?:[\w-]+[.-])?aiplatform\.(?:[\w-]+\.rep\.)?googleapis\.com(?:[:/?#]|$)|\/ws\/google\.cloud\.aiplatform\.|(?:\/|%2f)publishers(?:\/|%2f)google(?:\/|%2f)/i
const PLACE = /(?:\/|%2f)projects(?:\/|%2f)+([^/?#%]+)(?:\/|%2f)+locations(?:\/|%2f)+([^/?#%:]+)/i

/** Where a request to Vertex leads, as far as its URL says; undefined for a request to the other API. */
export function vertexPlaceOf(url: string): VertexPlace | undefined {
  const [, project, location] = PLACE.exec(url) ?? []
  return project !== undefined || VERTEX.test(url) ? { project, location } : undefined
}

const CREDENTIALS = /^(?:authorization|x-goog-api-key)$/i

/**
 * True for a request to Vertex that says neither in whose project nor who asks: the service can only refuse it. Go and
 * Python send it where both are set by variables and a base URL is too (go-genai `client.go`, python-genai
 * `_api_client.py`): they take the base URL for a gateway's, which would know.
 */
export function isAnonymous(path: string, headers: HeaderList): boolean {
  const hasCredentials =
    headers.some(([name]) => CREDENTIALS.test(name)) || /[?&](?:key|access_token)=/.test(path)
  return !hasCredentials && vertexPlaceOf(path)?.project === undefined
}
