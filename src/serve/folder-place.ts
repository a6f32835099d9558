/**
 * Where a request to a replayed folder leads: `/t/NAME/…` is the service as it answers on the recording NAME,
 * and `/__wiretape__/NAME` says how that replay went; without a name, which names there are.
 *
 * `NAME@RUN` is a replay of its own of the same cassette: RUN is any text, encoded as one segment of a path.
 *
 * Room: serve.
 */

/** A replay of one cassette. */
export interface ReplayName {
  /** The cassette's name. */
  readonly cassette: string
  /** With its run, if it has one: `greeting` or `greeting@2`. */
  readonly name: string
}

/** Where one request leads. */
export type Place =
  /** To the service. `prefix`: what the client was given as path, as it spells it; `path`: what the service is asked for. */
  | ({ readonly type: 'service'; readonly prefix: string; readonly path: string } & ReplayName)
  | ({ readonly type: 'verdict' } & ReplayName)
  /** To the names that there are. */
  | { readonly type: 'names' }
  /** To a cassette that is not there. `asked`: what was probably meant as its name, decoded. */
  | { readonly type: 'unknown'; readonly of: 'service' | 'verdict'; readonly asked: string }
  | { readonly type: 'outside' }

/** What base URLs begin with; the cassette's name follows. */
const SERVICE_PREFIX = '/t/'
/** What the addresses of verdicts begin with. */
export const VERDICT_PREFIX = '/__wiretape__/'

/** Where a name probably ends that is no cassette's. */
const BEGINS_ROUTE = /^(?:v\d+\w*|ws|upload|)$/

/**
 * Reads the target of a request.
 *
 * @param url - With its query.
 * @param has - True for the name of a cassette.
 */
export function placeOf(url: string, has: (name: string) => boolean): Place {
  // A base URL that ends with a slash gives two.
  const path = url.replace(/^\/+/, '/')
  if (path.startsWith(SERVICE_PREFIX)) return servicePlace(path, has)
  if (!path.startsWith(VERDICT_PREFIX)) return { type: 'outside' }
  const segments = segmentsOf(path, VERDICT_PREFIX)
  if (segments.every(segment => segment === '')) return { type: 'names' }
  const named = replayNamed(segments, has)
  if (named !== undefined) return { type: 'verdict', ...named }
  return { type: 'unknown', of: 'verdict', asked: decoded(segments.join('/')) }
}

/** The base URL's path for a replay. */
export function pathOf(name: string): string {
  return `${SERVICE_PREFIX}${name.split('/').map(encodeURIComponent).join('/')}`
}

/** Names may have slashes, and so may what follows: the longest name that is there is meant. */
function servicePlace(path: string, has: (name: string) => boolean): Place {
  const segments = segmentsOf(path, SERVICE_PREFIX)
  for (let length = segments.length; length > 0; length -= 1) {
    const own = segments.slice(0, length)
    const named = replayNamed(own, has)
    if (named === undefined) continue
    const prefix = `${SERVICE_PREFIX}${own.join('/')}`
    const rest = path.slice(prefix.length)
    return { type: 'service', prefix, path: rest.startsWith('/') ? rest : `/${rest}`, ...named }
  }
  const route = segments.findIndex(segment => BEGINS_ROUTE.test(segment))
  const own = route === -1 ? segments : segments.slice(0, route)
  return { type: 'unknown', of: 'service', asked: decoded(own.join('/')) }
}

function replayNamed(segments: readonly string[], has: (name: string) => boolean): ReplayName | undefined {
  const name = decoded(segments.join('/'))
  if (has(name)) return { cassette: name, name }
  // A run is in the last segment, and may hold anything, if it is encoded.
  const start = name.length - decoded(segments.at(-1) ?? '').length
  // As everywhere here, the longest name that is there is meant.
  for (let at = name.lastIndexOf('@'); at >= start && at > 0; at = name.lastIndexOf('@', at - 1)) {
    const cassette = name.slice(0, at)
    if (at + 1 < name.length && has(cassette)) return { cassette, name }
  }
  return undefined
}

function segmentsOf(path: string, prefix: string): readonly string[] {
  return (path.split('?', 1)[0] ?? '').slice(prefix.length).split('/')
}

/** What is wrongly encoded names nothing, and is shown as it came. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
