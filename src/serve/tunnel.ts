/**
 * Answers CONNECT: a tunnel to a host of the service ends here, as if this were that host; any other is
 * refused, or made and left alone.
 *
 * Room: serve.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listenFirst } from './first-words.ts'
import { isLocalHost } from './local-names.ts'
import type { Reached } from './reached.ts'

/** Makes the connection of a tunnel that passes. `signal`: nobody waits for it any more. */
export type DialTunnel = (
  host: string,
  port: number,
  done: (cause: Error | undefined, connection: Socket | undefined) => void,
  signal: AbortSignal,
) => void

/** What becomes of a tunnel. */
export type TunnelFate =
  /**
   * It ends here. `asks`: a client that has not said the proxy's user is asked for it. `other`: makes the connection for
   * one that does not speak HTTP/1.1, which is then left alone; without it, such a client fails.
   */
  | { readonly type: 'end'; readonly asks?: 'user'; readonly other?: DialTunnel }
  /** It leads where it is to lead; nothing of it is looked at. */
  | { readonly type: 'pass'; readonly dial: DialTunnel }
  /** In a sentence without a line end, for the client and for the report. */
  | { readonly type: 'refuse'; readonly why: string }

/** Decides about tunnels, and makes them. */
export interface TunnelOptions {
  /** `host` is in lower case. */
  readonly decide: (host: string) => TunnelFate
  /** Takes what is to be known of tunnels that were not made. */
  readonly note: (text: string) => void
  /** Told of each tunnel for which a user is asked, whether there was one. */
  readonly onAsked?: ((host: string, user: string | undefined) => void) | undefined
  /** Takes the end of a tunnel that ends here. */
  readonly enter: (connection: Socket, reached: Omit<Reached, 'scheme'>) => void
}

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** Answers what asks for a tunnel on this server. `taken` has the connections that were handed over and still are. */
export function serveTunnels(server: Server, taken: Set<Duplex>, options: TunnelOptions): void {
  const { decide, note, onAsked } = options
  const { end, pass, endOrPass } = createWays(taken, options)

  server.on('connect', (request: IncomingMessage, _: Duplex, head: Buffer) => {
    const { socket } = request
    hold(socket, taken)
    const target = targetOf(request.url ?? '')
    if (target === undefined) return refuseTunnel(socket, 400, 'CONNECT takes a host and a port')
    const { host, port } = target
    const user = proxyUserOf(request)
    if (isLocalHost(host) && port === socket.localPort) return end(socket, head, { host: undefined, user })
    const fate = decide(host)
    switch (fate.type) {
      case 'end':
        if (fate.asks === 'user') onAsked?.(host, user)
        if (fate.asks === 'user' && user === undefined) return askUser(socket)
        if (fate.other !== undefined) return endOrPass(socket, head, { host, port, user }, fate.other)
        return end(socket, head, { host, user })
      case 'pass':
        return pass(socket, head, target, fate.dial)
      case 'refuse':
        note(`a tunnel to ${host} was refused: ${fate.why}`)
        return refuseTunnel(socket, 403, fate.why)
    }
  })
}

/** Makes the connection, which nobody needs any more where the client has gone meanwhile, or all is closed. */
function reach(
  taken: Set<Duplex>,
  socket: Socket,
  { host, port }: Target,
  dial: DialTunnel,
  made: (far: Socket) => void,
  failed: (why: string) => void,
): void {
  const waiting = new AbortController()
  const left = (): void => waiting.abort()
  socket.once('close', left)
  function done(cause: Error | undefined, far: Socket | undefined): void {
    socket.off('close', left)
    if (far !== undefined) hold(far, taken)
    if (socket.destroyed) far?.destroy()
    else if (far === undefined) failed(`${host} can't be reached: ${cause?.message ?? 'no connection'}`)
    else made(far)
  }
  dial(host, port, done, waiting.signal)
}

/** What can be done with a tunnel that is made. */
function createWays(taken: Set<Duplex>, { note, enter }: Pick<TunnelOptions, 'note' | 'enter'>) {
  function end(socket: Socket, head: Uint8Array, reached: Omit<Reached, 'scheme'>): void {
    socket.write(ESTABLISHED)
    if (head.length > 0) socket.unshift(head)
    enter(socket, reached)
  }

  function pass(socket: Socket, head: Uint8Array, target: Target, dial: DialTunnel): void {
    function made(far: Socket): void {
      socket.write(ESTABLISHED)
      far.write(head)
      join(socket, far)
    }
    reach(taken, socket, target, dial, made, why => refuseTunnel(socket, 502, why))
  }

  /** Who is to answer shows only when the client begins to speak, and that it does when it has its tunnel. */
  function endOrPass(
    socket: Socket,
    head: Uint8Array,
    { host, port, user }: Target & Pick<Reached, 'user'>,
    dial: DialTunnel,
  ): void {
    socket.write(ESTABLISHED)
    listenFirst(socket, head, speech => {
      if (speech === 'http/1.1') {
        enter(socket, { host, user })
        socket.resume()
        return
      }
      note(
        `a client of ${host} does not speak HTTP/1.1 (gRPC does not): it is passed through, and not recorded`,
      )
      reach(
        taken,
        socket,
        { host, port },
        dial,
        far => join(socket, far),
        why => {
          note(why)
          socket.destroy()
        },
      )
    })
  }

  return { end, pass, endOrPass }
}

/**
 * Asks a client who it is. Some say so only then: `curl --proxy-anyauth`, and in Java whatever has an authenticator. One
 * that has nothing to say shows the reason phrase.
 */
function askUser(socket: Socket): void {
  const why = "the proxy's user names the cassette: http://NAME@HOST:PORT"
  refuseTunnel(socket, 407, why, [
    'proxy-authenticate: Basic realm="Wiretape, the user is a cassette", charset="UTF-8"',
  ])
}

/** Says no to a tunnel. Many clients show the reason phrase and nothing else, so it says why. */
function refuseTunnel(
  socket: Socket,
  status: 400 | 403 | 407 | 502,
  why: string,
  fields: readonly string[] = [],
): void {
  const reason = why.replaceAll(/[^\u0020-\u007e]+/g, ' ')
  const body = Buffer.from(`${why}\n`)
  const head = [
    `HTTP/1.1 ${status} Wiretape: ${reason}`,
    ...fields,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

/** The user's name of `Proxy-Authorization: Basic` (RFC 7617); undefined where there is none. */
function proxyUserOf({ headers }: IncomingMessage): string | undefined {
  const [, words] = /^basic +([+/0-9a-z]+=*)$/i.exec(headers['proxy-authorization'] ?? '') ?? []
  if (words === undefined) return undefined
  const [user = ''] = Buffer.from(words, 'base64').toString('utf8').split(':', 1)
  return user === '' ? undefined : user
}

interface Target {
  readonly host: string
  readonly port: number
}

/** `host:port`, an IPv6 address in brackets (RFC 9110 §9.3.6). A name of several labels is the same with a dot at its end. */
function targetOf(authority: string): Target | undefined {
  const [, host, port = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(authority) ?? []
  return host === undefined
    ? undefined
    : { host: host.toLowerCase().replace(/(\..+)\.$/, '$1'), port: Number(port) }
}

function hold(socket: Duplex, taken: Set<Duplex>): void {
  taken.add(socket)
  socket.once('close', () => taken.delete(socket))
  // A connection that breaks is closed then.
  socket.on('error', () => undefined)
}

/** What comes on one side goes out on the other, until both have ended or one is gone. */
function join(near: Socket, far: Socket): void {
  near.pipe(far)
  far.pipe(near)
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
}
