/**
 * The chunked transfer coding of HTTP/1.1 (RFC 9112 §7.1), as `node:http` spells it: hexadecimal in lower case,
 * no extensions.
 *
 * Room: serve.
 */
import type { HeaderList } from '../wire/headers.ts'

const CRLF = '\r\n'

/** Chunks, each with its frame, as one piece of memory. A chunk without a byte is none: it would be the last. */
export function frameChunks(chunks: readonly Uint8Array[]): Buffer {
  const sizes = chunks.map(({ length }) => length.toString(16) + CRLF)
  let total = 0
  for (const [index, { length }] of chunks.entries())
    total += (sizes[index]?.length ?? 0) + length + CRLF.length
  const framed = Buffer.allocUnsafe(total)
  let at = 0
  for (const [index, chunk] of chunks.entries()) {
    if (chunk.length === 0) continue
    at += framed.write(sizes[index] ?? '', at, 'latin1')
    framed.set(chunk, at)
    at += chunk.length
    at += framed.write(CRLF, at, 'latin1')
  }
  return framed.subarray(0, at)
}

/** The end of a body: the last chunk, and the trailers behind it. */
export function frameEnd(trailers: HeaderList): Buffer {
  const lines = trailers.map(([name, value]) => `${name}: ${value}${CRLF}`)
  return Buffer.from(`0${CRLF}${lines.join('')}${CRLF}`, 'latin1')
}
