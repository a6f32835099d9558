/**
 * The chunked transfer coding of HTTP/1.1 (RFC 9112 §7.1), as `node:http` spells it: hexadecimal in lower case,
 * no extensions.
 *
 * Room: serve.
 */
import type { HeaderList } from '../wire/headers.ts'

const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a

/** How much a frame takes at most, in bytes: the size of what fits into memory, and two line ends. */
const LONGEST_FRAME = 16

/** Chunks, each with its frame, as one piece of memory. A chunk without a byte is none: it would be the last. */
export function frameChunks(chunks: readonly Uint8Array[]): Buffer {
  const framed = Buffer.allocUnsafe(chunks.reduce((sum, { length }) => sum + length + LONGEST_FRAME, 0))
  let at = 0
  for (const chunk of chunks) {
    if (chunk.length === 0) continue
    at += framed.write(chunk.length.toString(16) + CRLF, at, 'latin1')
    framed.set(chunk, at)
    at += chunk.length
    framed[at] = CR
    framed[at + 1] = LF
    at += CRLF.length
  }
  return framed.subarray(0, at)
}

/** The end of a body: the last chunk, and the trailers behind it. */
export function frameEnd(trailers: HeaderList): Buffer {
  const lines = trailers.map(([name, value]) => `${name}: ${value}${CRLF}`)
  return Buffer.from(`0${CRLF}${lines.join('')}${CRLF}`, 'latin1')
}
