/**
 * `wiretape tls`: what each runtime needs to come through a server that runs with `--tls`, for a shell.
 *
 * Room: cli.
 */
import { authorityFolder, openAuthority } from '../store/authority.ts'
import type { TlsInvocation } from './invocation.ts'
import type { Surroundings } from './output.ts'
import { proxyVariables } from './proxy-variables.ts'
import { shellLines } from './shell-lines.ts'
import { makeTrust } from './trust.ts'

/** Prints it, and makes the authority where there is none. Throws `WIRETAPE_USAGE`, `WIRETAPE_WRITE`. */
export async function tls({ port, caDir }: TlsInvocation, { stdout, env }: Surroundings): Promise<0> {
  const { certFile } = await openAuthority(caDir ?? authorityFolder(), Date.now())
  const url = `http://127.0.0.1:${port}`
  stdout.write(
    [
      `# For a server that runs: wiretape replay FILE --tls --port ${port}, or record.`,
      `# eval "$(wiretape tls --port ${port})" sets it all.`,
      '',
      await linesFor(env, { url, caFile: certFile }),
    ].join('\n'),
  )
  return 0
}

/** The lines for a server. */
export async function linesFor(
  env: NodeJS.ProcessEnv,
  server: { readonly url: string; readonly vertexUrl?: string; readonly caFile: string },
): Promise<string> {
  const trust = await makeTrust(env, server, 'shell')
  const proxy = proxyVariables(env, server.url, 'record')
  return shellLines({
    ...server,
    variables: { ...proxy.variables, ...trust.variables },
    notes: [...proxy.notes, ...trust.notes],
  })
}
