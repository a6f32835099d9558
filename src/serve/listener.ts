/**
 * An HTTP server on loopback that is in nobody's way: no timeout that would cut a long stream, large
 * heads taken, every write sent at once.
 *
 * Room: serve.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WiretapeError } from '../errors.ts'
import { admitting, admittingUpgrades } from './admission.ts'
import type { PortTls } from './port-tls.ts'
import { serveTunnels, type TunnelFate } from './tunnel.ts'
import { serveUpgrades, type Upgrades } from './upgrade.ts'

/** What answers a request. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** What a listener does besides answering requests. */
export interface ListenOptions {
  /** Told why, when a client sends what is not HTTP; it has its 400 then, as always. */
  readonly onMalformed?: ((why: string) => void) | undefined
  /** Takes requests for sockets; without it they are answered as any other. */
  readonly upgrades?: Upgrades | undefined
  /** Told why, when a request is refused that was not meant to come here: for another host, from a foreign page. */
  readonly onRefused?: ((why: string) => void) | undefined
  /** Makes the port one for TLS and for tunnels too. */
  readonly tls?: PortTls | undefined
}

/** A server that listens. */
export interface Listener {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Takes no new connections, and closes those on which nothing is open. */
  stop(): void
  /** Ends whatever is left, and resolves when the port is free. */
  close(): Promise<void>
}

/** Far above what clients send, so that no head is refused here that the service would take. */
export const MAX_HEADER_BYTES = 262_144

/**
 * Listens on 127.0.0.1.
 *
 * @param port - 0 for any.
 * @throws `WIRETAPE_USAGE` where the port can't be had.
 */
export function listen(
  handler: RequestHandler,
  port: number,
  options: ListenOptions = {},
): Promise<Listener> {
  const { onMalformed, onRefused, upgrades, tls } = options
  const admission = { onRefused, prefixOf: tls?.prefixOf }
  const server = createServer(PATIENT, admitting(handler, admission))
  server.on('request', closeWithConnection())
  // Without this, Node leaves out every field after the thousandth, and says nothing.
  server.maxHeadersCount = 0
  if (onMalformed !== undefined) server.on('clientError', refuseMalformed(onMalformed))
  const taken = new Set<Duplex>()
  if (upgrades !== undefined) serveUpgrades(server, admittingUpgrades(upgrades, admission), taken)
  const doorway = tls?.openDoorway(server, taken)
  serveTunnels(server, taken, {
    note: onRefused ?? (() => undefined),
    enter: connection => server.emit('connection', connection),
    decide: noTunnel,
    ...tls,
    ...doorway,
  })
  const front = doorway?.front ?? server
  // The server behind a doorway has idle connections too, though it does not listen.
  const stop = (): void => new Set([front, server]).forEach(each => each.close())
  return new Promise((resolve, reject) => {
    front.once('error', cause => reject(notListening(port, cause)))
    front.listen(port, '127.0.0.1', () => {
      const address = front.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      const closed = new Promise<void>(done => front.once('close', done))
      resolve({
        url: `http://127.0.0.1:${bound}`,
        stop,
        close() {
          stop()
          server.closeAllConnections()
          // The server no longer counts these as its own, but its end waits for them.
          for (const socket of taken) socket.destroy()
          return closed
        },
      })
    })
  })
}

const PATIENT = {
  maxHeaderSize: MAX_HEADER_BYTES,
  keepAliveTimeout: 0,
  headersTimeout: 0,
  requestTimeout: 0,
  noDelay: true,
} as const

function notListening(port: number, cause: Error): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `Port ${port} on 127.0.0.1 can't be listened on: ${cause.message}`,
    {
      hint: 'Name another port with --port, or leave it out to take any that is free.',
      details: { port },
      cause,
    },
  )
}

const NEEDS_TLS = 'it is a proxy for https with --tls only; without, name it as the base URL of the client'

function noTunnel(): TunnelFate {
  return { type: 'refuse', why: NEEDS_TLS }
}

/**
 * Of the answers that wait behind another one on a connection (pipelining), Node forgets when the connection
 * closes: they never hear of it. This tells them.
 */
function closeWithConnection(): RequestHandler {
  const waiting = new WeakMap<Socket, Set<ServerResponse>>()

  function answersOn(socket: Socket): Set<ServerResponse> {
    const known = waiting.get(socket)
    if (known !== undefined) return known
    const answers = new Set<ServerResponse>()
    waiting.set(socket, answers)
    socket.once('close', () => {
      for (const answer of answers) {
        if (answer.socket !== null) continue
        answer.destroy()
        answer.emit('close')
      }
    })
    return answers
  }

  return ({ socket }, response) => {
    const answers = answersOn(socket)
    answers.add(response)
    response.once('close', () => answers.delete(response))
  }
}

function refuseMalformed(onMalformed: (why: string) => void): (error: Error, socket: Duplex) => void {
  return (error, socket) => {
    // Only the parser's own complaints: a connection that broke or ended is none.
    const code = 'code' in error ? String(error.code) : ''
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') onMalformed(error.message)
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    else socket.destroy()
  }
}
