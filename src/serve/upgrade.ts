/**
 * Requests to upgrade a connection: those for a WebSocket that somebody here serves are handed to it, all
 * others are answered as if they had not asked.
 *
 * Room: serve.
 */
import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { pairHeaders } from '../wire/headers.ts'

/** What serves sockets. */
export interface Upgrades {
  /** True if it takes this request for a WebSocket. */
  owns(request: IncomingMessage): boolean
  /** `head`: what the client sent behind its request already. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Uint8Array): void
}

/** Field names that ask for another protocol. `http2-settings` goes with `h2c` (RFC 7540 §3.2.1). */
const ASKING: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** Answers what asks for an upgrade on this server. `taken` has the connections that were handed over and still are. */
export function serveUpgrades(server: Server, upgrades: Upgrades, taken: Set<Duplex>): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const wanted = request.headers.upgrade?.toLowerCase() === 'websocket' && upgrades.owns(request)
    if (!wanted) {
      askAgain(server, request, socket, head)
      return
    }
    taken.add(socket)
    socket.once('close', () => taken.delete(socket))
    upgrades.upgrade(request, socket, head)
  })
}

/** True for a request that can be answered with a socket (RFC 6455 §4.2.1; 8 is what the last drafts called it). */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version = '' } = headers
  return method === 'GET' && /^[+/0-9A-Za-z]{22}==$/.test(key) && /^(?:8|13)$/.test(version)
}

/** A response to a request for a socket that gets none. The connection ends behind it. */
export function answerTo(request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(request.socket)
  response.once('finish', () => request.socket.destroySoon())
  return response
}

/**
 * A server may ignore the wish for another protocol (RFC 9110 §7.8), as Node's does where nobody listens for
 * it. Once somebody listens it hands over the bare connection: so the same request is put before what comes
 * next, without the wish, and the connection is given back. Java's HTTP client asks so for `h2c`, bodies included.
 */
function askAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = '', url = '', httpVersion, rawHeaders } = request
  const fields = pairHeaders(rawHeaders)
    .filter(([name]) => !ASKING.has(name.toLowerCase()))
    .map(
      ([name, value]) => `${name}: ${name.toLowerCase() === 'connection' ? withoutWish(value) : value}\r\n`,
    )
  const text = `${method} ${url} HTTP/${httpVersion}\r\n${fields.join('')}\r\n`
  socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]))
  server.emit('connection', socket)
}

function withoutWish(connection: string): string {
  const tokens = connection.split(',').map(token => token.trim())
  return tokens.filter(token => !ASKING.has(token.toLowerCase())).join(', ')
}
