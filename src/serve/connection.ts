/**
 * Connections to the service, in time: direct, or through the tunnel of a proxy that the environment names.
 *
 * Room: serve.
 */
import { Socket } from 'node:net'
import { buildConnector, Client, errors } from 'undici'
import { proxyFor } from './proxy-environment.ts'

/** Makes a connection to an origin and hands it over, or says why there is none. */
export type Connect = (
  origin: string,
  done: (cause: Error | undefined, connection: Socket | undefined) => void,
) => void

/** A service that can't be reached in this time is away: every SDK call must settle within two seconds. */
export const CONNECT_MS = 1500

/** Plain for `http:` origins, TLS for `https:`, never through a proxy for this machine. */
export function createConnect(): Connect {
  const connector = connectInTime()
  return (origin, done) => {
    const target = new URL(origin)
    const proxy = isLoopback(origin) ? undefined : proxyFor(target, process.env)
    const finish: buildConnector.Callback = (...[cause, connection]) =>
      done(cause ?? undefined, connection ?? undefined)
    if (proxy === undefined) connector(optionsFor(target), finish)
    else tunnel(new URL(proxy), target, connector, finish)
  }
}

/**
 * Makes the connection of a tunnel: bare, whatever is spoken on it, and through a proxy if the environment names one.
 *
 * @param signal - Ends the wait for a proxy, which may take its time.
 */
export function dialTunnel(
  host: string,
  port: number,
  done: (cause: Error | undefined, connection: Socket | undefined) => void,
  signal: AbortSignal,
): void {
  const address = `${host}:${port}`
  const proxy = isLoopback(`https://${address}`)
    ? undefined
    : proxyFor(new URL(`https://${address}`), process.env)
  const target = new URL(`http://${address}`)
  const connector = connectInTime()
  const finish: buildConnector.Callback = (...[cause, connection]) =>
    done(cause ?? undefined, connection ?? undefined)
  if (proxy === undefined) connector(optionsFor(target), finish)
  else tunnel(new URL(proxy), target, connector, finish, signal)
}

/** A connector with an exact limit (that of undici is half a second coarse). */
export function connectInTime(): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout: 0 })
  return (options, callback) => {
    const socket: unknown = connect(options, (...result) => {
      clearTimeout(timer)
      callback(...result)
    })
    const timer = setTimeout(() => {
      if (isDestroyable(socket))
        socket.destroy(new errors.ConnectTimeoutError(`no connection in ${CONNECT_MS} ms`))
    }, CONNECT_MS)
    return socket
  }
}

/** True for a service on this machine. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin)
  return /^(?:127(?:\.\d{1,3}){3}|localhost|.*\.localhost|\[::1\])$/.test(hostname)
}

function isDestroyable(value: unknown): value is { destroy(cause: Error): void } {
  return typeof value === 'object' && value !== null && 'destroy' in value
}

function optionsFor({ protocol, host, hostname, port }: URL): buildConnector.Options {
  return { protocol, host, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port }
}

/** Asks a proxy for a way to the service (RFC 9110 §9.3.6), and speaks TLS through it where the service does. */
function tunnel(
  proxy: URL,
  target: URL,
  connector: buildConnector.connector,
  done: buildConnector.Callback,
  signal?: AbortSignal,
): void {
  const options = optionsFor(target)
  const client = new Client(proxy.origin, { connect: connectInTime(), allowH2: false })
  const port = options.port === '' ? (target.protocol === 'https:' ? '443' : '80') : options.port
  const headers = { host: target.host, ...authorization(proxy) }
  client.connect({ path: `${target.hostname}:${port}`, headers, signal }, (cause, answer) => {
    // The tunnel is no longer the client's, which has nothing more to do.
    const released = client.destroy()
    if (cause !== null || answer === undefined) {
      void released.then(() => done(cause ?? new Error('the proxy gave no answer'), null))
      return
    }
    const { socket, statusCode } = answer
    if (statusCode !== 200 || !(socket instanceof Socket)) {
      socket.on('error', () => undefined).destroy()
      done(new Error(`the proxy ${proxy.host} answered ${statusCode} to CONNECT`), null)
    } else if (target.protocol === 'https:') connector({ ...options, httpSocket: socket }, done)
    else done(null, socket)
  })
}

function authorization({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '') return {}
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` }
}
