/**
 * Notes every byte that a socket brings while something runs: it stands between the app and the server, and
 * passes everything on as it is.
 *
 * The demo's proof for sockets, as `witness.ts` is for `fetch`: frames, opcodes, spelling and closes are in the
 * digest, whatever a client shows of them.
 *
 * Room: cli.
 */
import { createHash } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import type { Witnessed } from './witness.ts'

/** A way to a server that is listened in on. */
export interface Tap {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** What came over each connection, in the order in which they began. */
  answers(): readonly Witnessed[]
  close(): Promise<void>
}

/** Opens a tap in front of the server at this address. */
export async function openTap(target: string): Promise<Tap> {
  const { hostname, port } = new URL(target)
  const connections: Socket[] = []
  const heard: Uint8Array[][] = []
  const server = createServer(app => {
    const service = connect(Number(port), hostname)
    const pieces: Uint8Array[] = []
    heard.push(pieces)
    connections.push(app, service)
    service.on('data', piece => pieces.push(piece))
    app.pipe(service).pipe(app)
    // Whichever side goes takes the other with it.
    for (const [one, other] of [
      [app, service],
      [service, app],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    answers: () => heard.map(pieces => digest(Buffer.concat(pieces))),
    close: () =>
      new Promise(resolve => {
        for (const connection of connections) connection.destroy()
        server.close(() => resolve())
      }),
  }
}

/** The head holds an answer to the client's random key; what is behind it is the same for equal sockets. */
function digest(bytes: Buffer): Witnessed {
  const end = bytes.indexOf('\r\n\r\n')
  const [status = ''] = bytes.toString('latin1', 0, end).split('\r\n')
  const head = status.replace(/^HTTP\/1\.1 /, '')
  const frames = bytes.subarray(end + 4)
  const hash = createHash('sha256').update(JSON.stringify(head)).update(frames)
  return { head: `${head}, WebSocket`, bytes: frames.length, digest: hash.digest('hex') }
}
