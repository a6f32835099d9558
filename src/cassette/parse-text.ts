/**
 * From a file's bytes to text that YAML can be read from: size, UTF-8, no control characters.
 *
 * Room: cassette.
 */
import { WiretapeError } from '../errors.ts'
import { decodeUtf8 } from '../wire/text.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { invalid, sourceOf, type Source } from './source.ts'

/** What every reader of a cassette is told. */
export interface ParseOptions {
  /** The path, as it is to be named in messages. */
  readonly file: string
  /** See {@link DEFAULT_LIMITS}. */
  readonly limits?: Limits | undefined
}

/** Characters that no YAML text holds; a carriage return alone is a line end to one reader and text to another. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f]/

/**
 * The text of a cassette file.
 *
 * @throws WiretapeError `WIRETAPE_CASSETTE_INVALID` if the bytes are not UTF-8, or too many.
 */
export function cassetteText(bytes: Uint8Array, options: ParseOptions): string {
  checkSize(bytes.length, options)
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  const lossy = new TextDecoder().decode(bytes)
  throw invalid(sourceOf(lossy, options.file), {
    offset: Math.max(
      0,
      lossy
        .replace(/^\ufeff/, '')
        .replaceAll('\r\n', '\n')
        .indexOf('\ufffd'),
    ),
    what: 'this is not UTF-8 text',
    expected: 'a cassette: YAML in UTF-8',
    hint: 'Save it as UTF-8, or take it once more from where it came. Bytes that are not text belong into `body-base64`.',
  })
}

/** Opens a text for reading. Throws where it can't be YAML at all. */
export function openText(text: string, options: ParseOptions): Source {
  checkSize(text.length, options)
  const source = sourceOf(text, options.file)
  const at = FORBIDDEN.exec(source.text)
  if (at === null) return source
  const code = at[0].charCodeAt(0).toString(16).padStart(2, '0')
  throw invalid(source, {
    offset: at.index,
    what: at[0] === '\r' ? 'a carriage return without a line feed' : `the control character \\x${code}`,
    expected: 'text without control characters',
    hint: `Is this a cassette? In a quoted text, spell the character as ${at[0] === '\r' ? '\\r' : `\\x${code}`}.`,
  })
}

function checkSize(size: number, { file, limits = DEFAULT_LIMITS }: ParseOptions): void {
  if (size <= limits.size) return
  throw new WiretapeError(
    'WIRETAPE_CASSETTE_INVALID',
    `${file}:1:1: this file is too large for a cassette: ${size} characters, the limit is ${limits.size}`,
    {
      hint: 'Keep media in blobs, or split the cassette.',
      details: { file, line: 1, column: 1, reason: 'too large', size, limit: limits.size },
    },
  )
}
