/**
 * The usual reason phrases, so that a recording names only the unusual ones.
 *
 * A frozen list and not the runtime's: a cassette must mean the same in every version of it. A status
 * that is not here has no usual phrase, and its own is always kept.
 *
 * Room: wire.
 */

/** RFC 9110 §15 and RFC 6585, as every supported Node spells them. */
const USUAL: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [204, 'No Content'],
  [206, 'Partial Content'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [412, 'Precondition Failed'],
  [415, 'Unsupported Media Type'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
])

/** The phrase that a status has where nothing else is said; undefined for one that has none. */
export function usualReason(status: number): string | undefined {
  return USUAL.get(status)
}
