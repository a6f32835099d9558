/**
 * Which proxy the environment names for an address: the same as undici's `EnvHttpProxyAgent` would take,
 * which does not say.
 *
 * Room: serve.
 */

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** The address of the proxy for this target; undefined where none is to be asked. */
export function proxyFor(target: URL, env: NodeJS.ProcessEnv): string | undefined {
  if (isExcepted(target, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined
  const http = env['http_proxy'] ?? env['HTTP_PROXY'] ?? ''
  const https = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? ''
  const proxy = target.protocol === 'https:' && https !== '' ? https : http
  return proxy === '' ? undefined : proxy
}

/** `*`, or names with maybe a port; each stands for what is below it too, with or without `.` or `*.` in front. */
function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  if (exceptions === '*') return true
  return exceptions
    .split(/[,\s]/)
    .filter(entry => entry !== '')
    .some(entry => {
      const [, name = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? []
      if (only !== undefined && only !== (port === '' ? DEFAULT_PORTS[protocol] : port)) return false
      const excepted = name.replace(/^\*?\./, '').toLowerCase()
      return hostname === excepted || hostname.endsWith(`.${excepted}`)
    })
}
