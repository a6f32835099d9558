/**
 * The names of this machine, as hosts and as origins of pages.
 *
 * Room: serve.
 */

/**
 * True if the client reached this server by a name of this machine. A page of another origin that was made
 * to resolve here (DNS rebinding) sends its own name.
 */
export function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/i.test(host)
}

/** True for the origin of a page that this machine serves, at whatever port. A page without one sends `null`. */
export function isLocalOrigin(origin: string): boolean {
  const [, authority] = /^https?:\/\/([^/]+)$/.exec(origin) ?? []
  return isLocalHost(authority?.replace(/^(?:[a-z0-9-]+\.)+localhost/i, 'localhost'))
}
