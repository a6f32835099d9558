/**
 * An HTTP/1.1 client on a bare socket: it shows what no library does, the pieces of a body as the transfer
 * coding framed them, and whether the answer ended as HTTP says it must.
 */
import { connect } from 'node:net'

/** What to send. `body` undefined sends none. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Told after every read how many bytes of body have come. */
  readonly onBody?: (total: number) => void
}

/** What came back, as it was framed. */
export interface RawResponse {
  readonly status: number
  readonly reason: string
  /** As spelled and in the order received. */
  readonly headers: readonly (readonly [string, string])[]
  /** The pieces of the body: transfer chunks, or socket reads where the body has a length. */
  readonly pieces: readonly Buffer[]
  readonly body: Buffer
  /** False if the connection ended before the body did. */
  readonly complete: boolean
}

/** Sends one request over a connection of its own and reads until the answer ends. */
export function rawRequest(origin: string, request: RawRequest): Promise<RawResponse> {
  const { hostname, port, host } = new URL(origin)
  return new Promise((resolve, reject) => {
    const reader = createReader(request.onBody ?? (() => {}))
    const socket = connect(Number(port), hostname, () => {
      const headers = { host, connection: 'close', ...request.headers }
      const length = request.body === undefined ? {} : { 'content-length': String(request.body.length) }
      const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
      if (request.body !== undefined) socket.write(request.body)
    })
    let broken: Error | undefined
    socket.on('data', bytes => {
      reader.push(bytes)
      if (reader.done()) socket.destroy()
    })
    socket.on('error', error => (broken = error))
    socket.on('close', () => {
      const response = reader.result()
      if (response === undefined) reject(broken ?? new Error('the connection ended before a response head'))
      else resolve(response)
    })
  })
}

function createReader(onBody: (total: number) => void): {
  push(bytes: Buffer): void
  done(): boolean
  result(): RawResponse | undefined
} {
  let pending = Buffer.alloc(0)
  let head: Pick<RawResponse, 'status' | 'reason' | 'headers'> | undefined
  let mode: { type: 'chunked' } | { type: 'length'; left: number } | { type: 'close' } = { type: 'close' }
  let complete = false
  let total = 0
  const pieces: Buffer[] = []

  function take(piece: Buffer): void {
    if (piece.length === 0) return
    pieces.push(piece)
    total += piece.length
  }

  function readChunks(): void {
    for (;;) {
      const lineEnd = pending.indexOf('\r\n')
      if (lineEnd < 0) return
      const size = Number.parseInt(pending.toString('latin1', 0, lineEnd), 16)
      if (size === 0) {
        // Trailers, if any, end in an empty line.
        complete =
          pending.indexOf('\r\n\r\n', lineEnd) >= 0 || pending.toString('latin1').endsWith('0\r\n\r\n')
        return
      }
      if (pending.length < lineEnd + 2 + size + 2) return
      take(pending.subarray(lineEnd + 2, lineEnd + 2 + size))
      pending = pending.subarray(lineEnd + 2 + size + 2)
    }
  }

  function readBody(): void {
    if (mode.type === 'chunked') return readChunks()
    take(pending)
    if (mode.type === 'length') {
      mode.left -= pending.length
      complete = mode.left <= 0
    }
    pending = Buffer.alloc(0)
  }

  return {
    push(bytes) {
      pending = Buffer.concat([pending, bytes])
      if (head === undefined) {
        const end = pending.indexOf('\r\n\r\n')
        if (end < 0) return
        head = readHead(pending.toString('latin1', 0, end))
        pending = pending.subarray(end + 4)
        mode = modeOf(head)
        complete = mode.type === 'length' && mode.left === 0
      }
      readBody()
      onBody(total)
    },
    done: () => complete,
    result: () =>
      head && { ...head, pieces, body: Buffer.concat(pieces), complete: complete || mode.type === 'close' },
  }
}

function readHead(text: string): Pick<RawResponse, 'status' | 'reason' | 'headers'> {
  const [line = '', ...fields] = text.split('\r\n')
  const [, status, reason] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(line) ?? []
  return {
    status: Number(status),
    reason: reason ?? '',
    headers: fields.map(field => [
      field.slice(0, field.indexOf(':')),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  }
}

function modeOf(
  head: Pick<RawResponse, 'headers' | 'status'>,
): { type: 'chunked' } | { type: 'length'; left: number } | { type: 'close' } {
  const field = (name: string): string | undefined =>
    head.headers.find(([key]) => key.toLowerCase() === name)?.[1]
  if (head.status === 204 || head.status === 304) return { type: 'length', left: 0 }
  if (field('transfer-encoding') === 'chunked') return { type: 'chunked' }
  const length = field('content-length')
  return length === undefined ? { type: 'close' } : { type: 'length', left: Number(length) }
}
