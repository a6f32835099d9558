/**
 * An upstream on a bare socket: what it says is bytes, so it can say what no HTTP library would.
 */
import { EventEmitter, once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { listenOnLoopback } from './loopback.ts'

/** Called once a request's head and, by its content-length, its body are there. */
export type ByteScript = (request: Buffer, socket: Socket) => void | Promise<void>

/** A running upstream. */
export interface ByteUpstream {
  readonly url: string
  /** Whole requests, as they came. */
  readonly requests: readonly Buffer[]
  /** Every byte that came, of whole requests or not. */
  received(): Buffer
  /** Resolves when it has got something more than the last time. */
  more(): Promise<void>
  /** Resolves when this many connections to it have been closed. */
  closed(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts one on a free port of the loopback. */
export async function startByteUpstream(script: ByteScript): Promise<ByteUpstream> {
  const requests: Buffer[] = []
  const all: Buffer[] = []
  const sockets = new Set<Socket>()
  let gone = 0
  let told = 0
  const signal = new EventEmitter()
  const server = createServer({ noDelay: true }, socket => {
    sockets.add(socket)
    let pending = Buffer.alloc(0)
    socket.on('data', bytes => {
      all.push(bytes)
      signal.emit('change')
      pending = Buffer.concat([pending, bytes])
      const length = requestLength(pending)
      if (length === undefined || pending.length < length) return
      const request = pending.subarray(0, length)
      pending = pending.subarray(length)
      requests.push(request)
      void script(request, socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      gone += 1
      signal.emit('change')
    })
  })
  const url = await listenOnLoopback(server)
  return {
    url,
    requests,
    received: () => Buffer.concat(all),
    async more() {
      while (all.length === told) await once(signal, 'change')
      told = all.length
    },
    async closed(count) {
      for (;;) {
        if (gone >= count) return
        await once(signal, 'change')
      }
    },
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function requestLength(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const text = bytes.toString('latin1', 0, head)
  if (/^transfer-encoding: chunked/im.test(text)) {
    const end = bytes.indexOf('\r\n0\r\n\r\n')
    return end < 0 ? undefined : end + 7
  }
  return head + 4 + Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
}
