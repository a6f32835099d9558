/**
 * A request's body on its way to the service, told to a scribe chunk by chunk.
 *
 * It is read to its end whatever the service does: one that answers before it has the whole body must
 * neither keep the client waiting nor cost the recording what a replay will be asked with.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { WiretapeError } from '../errors.ts'
import { decoderFor } from './decode.ts'
import type { Scribe } from './scribe.ts'
import { unreadableRequest } from './upstream-error.ts'

/** A body that is being relayed. */
export interface RecordedBody {
  /** For the service. Where it takes no more, the client is asked to wait; destroyed, it is still read and recorded. */
  readonly stream: Readable | undefined
  /** Calls back when the scribe has all of it, or the client is gone. */
  whenRead(callback: () => void): void
}

/** That of a request that has none. */
export const NO_BODY: RecordedBody = { stream: undefined, whenRead: callback => callback() }

/**
 * Starts to read a request's body.
 *
 * The scribe gets it decoded: a secret can't be seen through compression.
 */
export function recordBody(
  request: IncomingMessage,
  scribe: Scribe,
  onUnreadable: (error: WiretapeError) => void,
): RecordedBody {
  const encoding = request.headers['content-encoding']
  const decoder = decoderFor(encoding)
  if (decoder === 'unknown') onUnreadable(unreadableRequest(encoding))
  const waiting: (() => void)[] = []
  let read = false
  let decoding: Promise<void> = Promise.resolve()
  const stream = new Readable({
    // One piece waits at most. Of a stream of bytes that has ended, undici counts them and says how many.
    objectMode: true,
    highWaterMark: 1,
    read: () => void request.resume(),
    destroy(error, done) {
      request.resume()
      done(error)
    },
  })
  // Whoever destroyed it knows why.
  stream.on('error', () => undefined)

  function relay(piece: Uint8Array, decoded: Uint8Array): void {
    scribe.take({ type: 'request-chunk', bytes: decoded })
    if (stream.destroyed || stream.push(piece)) request.resume()
    else request.pause()
  }

  function finish(): void {
    if (read) return
    read = true
    if (typeof decoder !== 'string') decoder.close()
    waiting.splice(0).forEach(callback => callback())
  }

  request.on('data', (piece: Buffer) => {
    if (typeof decoder === 'string') {
      relay(piece, piece)
      return
    }
    request.pause()
    decoding = decoding
      .then(() => decoder.push(piece))
      .catch(() => {
        onUnreadable(unreadableRequest(encoding))
        return piece
      })
      .then(decoded => relay(piece, decoded))
  })
  request.once('end', () => {
    decoding = decoding.then(() => {
      scribe.take({ type: 'request-end' })
      if (!stream.destroyed) stream.push(null)
      finish()
    })
  })
  request.on('error', cause => stream.destroy(cause))
  request.once('close', () => {
    decoding = decoding.then(finish)
  })

  return {
    stream,
    whenRead(callback) {
      if (read) callback()
      else waiting.push(callback)
    },
  }
}
