/**
 * Server-sent events, exactly: bytes in, events out, and the same bytes back.
 *
 * An event counts as proper only if encoding it again gives the bytes it came from; everything else in a
 * stream is kept as raw bytes. This is not the lenient parser of the WHATWG specification: that one
 * forgets how a stream was spelled.
 *
 * Room: wire.
 */
import { concatBytes, decodeUtf8, encodeUtf8, equalBytes, indexOfBytes } from './text.ts'

/** The line end of a stream, by the name that a cassette gives it. */
export type Eol = 'crlf' | 'lf' | 'cr'

/** One event. `data` is text, or bytes where it is not UTF-8; line feeds in it are several `data:` lines. */
export interface SseEvent {
  readonly event?: string | undefined
  readonly id?: string | undefined
  readonly retry?: string | undefined
  readonly data?: string | Uint8Array | undefined
}

/** A stretch of a stream: a proper event, or bytes that are none. `start` and `end` are byte offsets. */
export interface SsePiece {
  readonly start: number
  readonly end: number
  /** Undefined where the bytes are not a proper event. */
  readonly event: SseEvent | undefined
}

/** A stream in pieces, and the line end that they were read with. */
export interface SseReading {
  readonly eol: Eol
  readonly pieces: readonly SsePiece[]
}

/** The characters of each line end. */
const LINE_ENDS = { crlf: '\r\n', lf: '\n', cr: '\r' } as const satisfies Record<Eol, string>

/** The names of the line ends. */
export const EOLS: readonly Eol[] = ['crlf', 'lf', 'cr']

/** The fields before `data`, in the order in which they are spelled. */
const FIELDS = ['event', 'id', 'retry'] as const

const LF = 0x0a

/**
 * Spells an event: `event`, `id`, `retry`, then its `data` lines, each with one blank after the colon,
 * and the blank line that ends it.
 */
export function encodeEvent(event: SseEvent, eol: Eol): Uint8Array {
  const end = LINE_ENDS[eol]
  let head = ''
  for (const field of FIELDS) {
    const value = event[field]
    if (value !== undefined) head += `${field}: ${value}${end}`
  }
  const { data } = event
  if (data === undefined) return encodeUtf8(`${head}${end}`)
  if (typeof data === 'string')
    return encodeUtf8(`${head}data: ${data.replaceAll('\n', `${end}data: `)}${end}${end}`)
  const pieces = [encodeUtf8(`${head}data: `)]
  let from = 0
  for (let at = data.indexOf(LF); at !== -1; at = data.indexOf(LF, from)) {
    pieces.push(data.subarray(from, at), encodeUtf8(`${end}data: `))
    from = at + 1
  }
  return concatBytes([...pieces, data.subarray(from), encodeUtf8(`${end}${end}`)])
}

/** Cuts a whole stream into pieces that cover every byte of it, in order. */
export function splitStream(bytes: Uint8Array, eol: Eol): readonly SsePiece[] {
  const blankLine = encodeUtf8(LINE_ENDS[eol].repeat(2))
  const pieces: SsePiece[] = []
  let start = 0
  while (start < bytes.length) {
    const found = indexOfBytes(bytes, blankLine, start)
    const end = found === -1 ? bytes.length : found + blankLine.length
    pieces.push({ start, end, event: readEvent(bytes.subarray(start, end), eol) })
    start = end
  }
  return pieces
}

/** Reads a stream with the usual line end, or with another where that leaves fewer bytes raw. */
export function readStream(bytes: Uint8Array, usual: Eol): SseReading {
  let best: SseReading = { eol: usual, pieces: splitStream(bytes, usual) }
  let fewest = rawBytes(best.pieces)
  for (const eol of EOLS) {
    if (fewest === 0) return best
    if (eol === usual) continue
    const pieces = splitStream(bytes, eol)
    const raw = rawBytes(pieces)
    if (raw >= fewest) continue
    best = { eol, pieces }
    fewest = raw
  }
  return best
}

function rawBytes(pieces: readonly SsePiece[]): number {
  return pieces.reduce((raw, piece) => raw + (piece.event === undefined ? piece.end - piece.start : 0), 0)
}

/** The event that these bytes are; undefined where encoding it would not give them back. */
function readEvent(bytes: Uint8Array, eol: Eol): SseEvent | undefined {
  const text = decodeUtf8(bytes)
  const event = text === undefined ? readBinary(bytes, eol) : readLines(text, eol)
  return event !== undefined && equalBytes(encodeEvent(event, eol), bytes) ? event : undefined
}

/** An event by its text, not yet proven. */
function readLines(
  text: string,
  eol: Eol,
): { event?: string; id?: string; retry?: string; data?: string } | undefined {
  const lines = text.split(LINE_ENDS[eol])
  // Both ends of the blank line that ends an event.
  if (lines.pop() !== '' || lines.pop() !== '') return undefined
  if (lines.length === 0) return undefined
  // To a reader of the stream any of the three ends a line: one that is not the stream's own hides lines.
  if (lines.some(line => /[\r\n]/.test(line))) return undefined
  const event: { event?: string; id?: string; retry?: string; data?: string } = {}
  for (const field of FIELDS) {
    if (lines[0]?.startsWith(`${field}: `) === true)
      event[field] = lines.shift()?.slice(field.length + 2) ?? ''
  }
  if (!lines.every(line => line.startsWith('data: '))) return undefined
  if (lines.length > 0) event.data = lines.map(line => line.slice('data: '.length)).join('\n')
  return event
}

/** An event whose data is not UTF-8: read one character per byte, so that only the data stays bytes. */
function readBinary(bytes: Uint8Array, eol: Eol): SseEvent | undefined {
  const read = readLines(
    bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''),
    eol,
  )
  if (read?.data === undefined) return undefined
  const event: { event?: string; id?: string; retry?: string; data: Uint8Array } = {
    data: bytesOf(read.data),
  }
  for (const field of FIELDS) {
    const value = read[field]
    if (value === undefined) continue
    const text = decodeUtf8(bytesOf(value))
    if (text === undefined) return undefined
    event[field] = text
  }
  return event
}

/** The bytes of text that has one character per byte. */
function bytesOf(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, character => character.charCodeAt(0))
}
