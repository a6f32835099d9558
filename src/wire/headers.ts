/**
 * Header fields as a list: order and repetition are part of what was sent.
 *
 * Names keep the case they came in until a caller lowers them; values are one character per byte
 * (latin-1), as HTTP/1.1 libraries hand them on.
 *
 * Room: wire.
 */

/** Name and value pairs in order. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/**
 * The fields that belong to one connection and are never relayed.
 *
 * RFC 9110 §7.6.1; `keep-alive` and `proxy-connection` are the historical ones it names.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The first value of a field, whatever the case of its name. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([field]) => field.toLowerCase() === wanted)?.[1]
}

/** Pairs up the flat `[name, value, name, value]` list that Node and undici hand on. */
export function pairHeaders(flat: readonly string[]): HeaderList {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < flat.length; index += 2) {
    pairs.push([flat[index] ?? '', flat[index + 1] ?? ''])
  }
  return pairs
}

/** The fields that travel end to end: without the hop-by-hop ones and those that `connection` names. */
export function endToEndHeaders(headers: HeaderList): HeaderList {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map(token => token.trim().toLowerCase())),
  )
  return headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
}
