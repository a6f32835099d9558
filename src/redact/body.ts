/**
 * Redacts a body as it streams by, whatever the edges of its pieces.
 *
 * Secrets are ASCII, so it looks at one character per byte and needs no decoding. What goes out does not
 * depend on how the body was cut.
 *
 * Room: redact.
 */
import { concatBytes, encodeUtf8 } from '../wire/text.ts'
import type { Ending } from './percent.ts'
import type { BodyRedactor, RedactedBytes, Replacement } from './redactor.ts'
import type { Searcher } from './search.ts'
import { LOOK_BACK } from './spelled.ts'

/** One character per byte, whatever the byte; those of ASCII are themselves. No other is looked for. */
const decoder = new TextDecoder('windows-1252')

/** @param searcher - The search as of now: what was learned since the last piece counts. */
export function createBodyRedactor(searcher: () => Searcher): BodyRedactor {
  let context = ''
  let held: Uint8Array = new Uint8Array()
  // Where `held` begins, counted in the original body.
  let offset = 0
  let refused: string | undefined

  function take(bytes: Uint8Array, ending: Ending): RedactedBytes {
    if (refused !== undefined) return { bytes: new Uint8Array(), replaced: [], refused }
    const pending = held.length === 0 ? bytes : concatBytes([held, bytes])
    const text = context + decoder.decode(pending)
    const shift = context.length
    const search = searcher()(text, shift, ending)

    const pieces: Uint8Array[] = []
    const replaced: Replacement[] = []
    let done = 0
    for (const { start, end, placeholder } of search.secrets) {
      pieces.push(pending.subarray(done, start - shift), encodeUtf8(placeholder))
      replaced.push({ at: offset + start - shift, was: end - start, is: placeholder.length })
      done = end - shift
    }
    const decided = search.decided - shift
    pieces.push(pending.subarray(done, decided))

    context = text.slice(Math.max(0, search.decided - LOOK_BACK), search.decided)
    refused = search.refused
    held = refused === undefined ? pending.slice(decided) : new Uint8Array()
    offset += decided
    return { bytes: pieces.length === 1 ? (pieces[0] ?? pending) : concatBytes(pieces), replaced, refused }
  }

  return {
    push: bytes => take(bytes, 'open'),
    end: (bytes = new Uint8Array()) => take(bytes, 'closed'),
    get held() {
      return held.length
    },
  }
}
