/**
 * One port for plain HTTP and for TLS, told apart by the first byte, in front of an HTTP server that sees
 * no difference. What comes through a tunnel enters here again.
 *
 * Room: serve.
 */
import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Server as TlsServer, TLSSocket } from 'node:tls'
import { createServer as createTlsServer } from 'node:tls'
import { hostKind } from '../dialect/hosts.ts'
import { handshakeNote, leftNote } from './handshake-note.ts'
import type { Leaf, Leaves } from './leaves.ts'
import { markReached, type Reached } from './reached.ts'

/** What a doorway shows to clients, and whom it tells. */
export interface DoorwayOptions {
  readonly leaves: Leaves
  /** The file that clients are to trust, for remarks. */
  readonly caFile: string
  /** Takes a remark about a client that went away before it asked for anything. */
  readonly note: (text: string) => void
}

/** A port's doorway. */
export interface Doorway {
  /** Listens, and takes connections. */
  readonly front: Server
  /** Takes a connection from elsewhere: the end of a tunnel. */
  enter(connection: Socket, reached: Omit<Reached, 'scheme'>): void
}

/** The content type of a TLS handshake (RFC 8446 §5.1). No HTTP request begins with it. */
const HANDSHAKE = 22

/**
 * @param server - Gets every connection; it must not listen itself.
 * @param taken - Has the connections that are open.
 */
export function createDoorway(
  server: HttpServer,
  taken: Set<Duplex>,
  { leaves, caFile, note }: DoorwayOptions,
): Doorway {
  const secure = new Map<string, { readonly server: TlsServer; leaf: Leaf }>()
  // Node keeps count of a server's connections, so that the idle ones can be closed, once it listens.
  server.emit('listening')

  function enter(connection: Socket, reached: Omit<Reached, 'scheme'>): void {
    taken.add(connection)
    connection.once('close', () => taken.delete(connection))
    // A connection that breaks is closed then.
    connection.on('error', () => undefined)
    const left = (): void => void connection.destroy()
    connection.once('end', left)
    connection.once('data', (first: Buffer) => {
      connection.off('end', left).pause()
      connection.unshift(first)
      if (first[0] === HANDSHAKE) shakeHands(connection, reached)
      else admit(connection, { scheme: 'http', ...reached })
    })
  }

  function admit(connection: Socket, reached: Reached): void {
    markReached(connection, reached)
    server.emit('connection', connection)
    connection.resume()
  }

  function shakeHands(connection: Socket, reached: Omit<Reached, 'scheme'>): void {
    // Nobody would see the end of a client that leaves in the middle of it.
    connection.allowHalfOpen = false
    tlsFor(reached).emit('connection', connection)
  }

  /** A TLS server for each way to come here: what it hands over is known to have come so. */
  function tlsFor(reached: Omit<Reached, 'scheme'>): TlsServer {
    const leaf = leaves.of(reached.host)
    const name = JSON.stringify([reached.host, reached.user])
    const known = secure.get(name)
    if (known === undefined) {
      const made = createTls(reached, leaf)
      secure.set(name, { server: made, leaf })
      return made
    }
    if (known.leaf !== leaf) known.server.setSecureContext(shown(leaf))
    known.leaf = leaf
    return known.server
  }

  function createTls(reached: Omit<Reached, 'scheme'>, leaf: Leaf): TlsServer {
    const made = createTlsServer({
      ...shown(leaf),
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) => done(null, leaves.of(reached.host ?? name).context),
    })
    made.on('secureConnection', (connection: TLSSocket) => {
      connection.allowHalfOpen = true
      const { servername } = connection
      const named = typeof servername === 'string' && hostKind(servername) === 'service'
      const host = reached.host ?? (named ? servername.toLowerCase() : undefined)
      connection.once('close', () => {
        if (connection.bytesRead === 0 && front.listening) note(leftNote(caFile))
      })
      admit(connection, { ...reached, scheme: 'https', host })
    })
    made.on('tlsClientError', (error, connection) => {
      note(handshakeNote(error, caFile))
      connection.destroy()
    })
    return made
  }

  const front = createServer({ allowHalfOpen: true, noDelay: true }, connection =>
    enter(connection, { host: undefined, user: undefined }),
  )
  return { front, enter }
}

function shown({ key, cert }: Leaf): { readonly key: string; readonly cert: string } {
  return { key, cert }
}
