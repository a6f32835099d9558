/**
 * Takes the compression off a body as it streams by, for the journal only: what is relayed stays as it is.
 *
 * Room: serve.
 */
import { createBrotliDecompress, createGunzip, createInflate, constants, type Zlib } from 'node:zlib'
import type { Transform } from 'node:stream'

/** Decodes one body. */
export interface Decoder {
  /** What these bytes decode to, as far as it can be told by now. Rejects where they are not what they claim to be. */
  push(bytes: Uint8Array): Promise<Uint8Array>
  /** Frees what it holds. */
  close(): void
}

/**
 * A decoder for the value of a `content-encoding` field; `identity` where there is nothing to take off,
 * `unknown` where the encoding is none that can be.
 */
export function decoderFor(encoding: string | undefined): Decoder | 'identity' | 'unknown' {
  const codings = (encoding ?? '')
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  if (codings.length === 0) return 'identity'
  const decoders = codings.toReversed().map(decoderOf)
  if (!decoders.every(decoder => decoder !== undefined)) return 'unknown'
  return {
    async push(bytes) {
      let decoded = bytes
      for (const decoder of decoders) decoded = await decoder.push(decoded)
      return decoded
    },
    close() {
      for (const decoder of decoders) decoder.close()
    },
  }
}

/** A whole body, decoded. What can't be decoded stays as it is, and matches nothing. */
export async function decodedBody(body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> {
  const decoder = decoderFor(encoding)
  if (typeof decoder === 'string') return body
  try {
    return await decoder.push(body)
  } catch {
    return body
  } finally {
    decoder.close()
  }
}

function decoderOf(coding: string): Decoder | undefined {
  const flushed = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return streaming(createGunzip(flushed))
    case 'deflate':
      return streaming(createInflate(flushed))
    case 'br':
      return streaming(
        createBrotliDecompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
        }),
      )
  }
  return undefined
}

function streaming(zlib: Transform & Zlib): Decoder {
  let pieces: Buffer[] = []
  let failed: Error | undefined
  let rejectOpen: ((cause: Error) => void) | undefined
  zlib.on('data', (piece: Buffer) => pieces.push(piece))
  zlib.on('error', cause => {
    failed = cause
    // The callback of the write that failed never comes.
    rejectOpen?.(cause)
  })
  return {
    push: bytes =>
      new Promise((resolve, reject) => {
        if (failed !== undefined || bytes.length === 0) {
          if (failed === undefined) resolve(bytes)
          else reject(failed)
          return
        }
        rejectOpen = reject
        // The callback comes when all of these bytes are through, and with them what they decode to.
        zlib.write(bytes, cause => {
          const decoded = Buffer.concat(pieces)
          pieces = []
          if (cause) reject(cause)
          else resolve(decoded)
        })
      }),
    close: () => zlib.destroy(),
  }
}
