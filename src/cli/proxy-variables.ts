/**
 * The variables that lead programs through our tunnel, and what becomes of those that lead elsewhere.
 *
 * Room: cli.
 */

/** Variables to set, and what there is to say about those that were set to something else. */
export interface ProxyVariables {
  readonly variables: Readonly<Record<string, string>>
  readonly notes: readonly string[]
}

const OWN_HOSTS = ['127.0.0.1', 'localhost']

/**
 * `HTTPS_PROXY` and `NO_PROXY`, both spellings of each.
 *
 * @param through - Whether what is not for the service goes on to the user's own proxy (record) or nowhere (replay).
 */
export function proxyVariables(
  env: NodeJS.ProcessEnv,
  url: string,
  through: 'record' | 'replay',
): ProxyVariables {
  const notes: string[] = []
  const proxy = env['https_proxy'] || env['HTTPS_PROXY']
  if (proxy !== undefined && proxy !== '' && proxy !== url) {
    const then = through === 'record' ? 'goes on to that one' : 'goes nowhere while replaying'
    notes.push(
      `HTTPS_PROXY named ${withoutUser(proxy)}; for the command it names this server, and what comes here ${then}`,
    )
  }
  const exceptions = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[,\s]+/).filter(Boolean)
  const past = exceptions.filter(excludesService)
  if (past.length > 0) {
    notes.push(
      `NO_PROXY had ${past.join(', ')}, by which requests would go past this server; for the command it has not`,
    )
  }
  const kept = exceptions.filter(entry => !excludesService(entry))
  const hosts = [...kept, ...OWN_HOSTS.filter(host => !kept.includes(host))].join(',')
  return {
    variables: { HTTPS_PROXY: url, https_proxy: url, NO_PROXY: hosts, no_proxy: hosts },
    notes,
  }
}

/** True for an exception that holds for some host of the service. */
function excludesService(entry: string): boolean {
  const name = entry
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\*?\.?/, '')
  return name === '' || name === 'com' || name === 'googleapis.com' || name.endsWith('.googleapis.com')
}

function withoutUser(proxy: string): string {
  return proxy.replace(/\/\/[^/@]*@/, '//')
}
