/**
 * Runs the user's command beside a server, with what it needs to reach it.
 *
 * Room: cli.
 */
import type { ServiceSide } from '../dialect/hosts.ts'
import { runCommand } from './child.ts'
import type { Addresses } from './environment.ts'
import type { UserCommand } from './invocation.ts'
import type { CommandEnvironment, secureEnvironment } from './tls-environment.ts'
import type { VertexCredentials } from './vertex-credentials.ts'

/** What the command runs beside. */
export interface Beside {
  /** What the user has set. */
  readonly user: NodeJS.ProcessEnv
  /** The same, with base URLs and keys. */
  readonly base: NodeJS.ProcessEnv
  readonly server: Addresses & {
    readonly caFile: string | undefined
    /** The sides of the service that a replay has. */
    sides?(): ReadonlySet<ServiceSide>
  }
  /** What becomes of what is not for the service. */
  readonly through: 'record' | 'replay'
  /** Takes text for people. */
  readonly say: (text: string) => void
}

/** Returns its exit code. Throws `WIRETAPE_USAGE` where it can't be started, or a file that it needs can't be read. */
export async function runBeside(
  command: UserCommand,
  { user, base, server, through, say }: Beside,
): Promise<number> {
  const { url, vertexUrl, caFile } = server
  const credentials = await credentialsFor({ user, server, through })
  const known = { ...base, ...credentials.variables }
  try {
    const { env, notes, dispose } =
      caFile === undefined
        ? { env: known, notes: [], dispose: () => undefined }
        : await secured(user, known, { url, vertexUrl, caFile }, through)
    try {
      for (const note of [...credentials.notes, ...notes]) say(`note: ${note}\n`)
      return await runCommand(command, env)
    } finally {
      dispose()
    }
  } finally {
    credentials.dispose()
  }
}

async function secured(...words: Parameters<typeof secureEnvironment>): Promise<CommandEnvironment> {
  return (await import('./tls-environment.ts')).secureEnvironment(...words)
}

/** The service needs the user's own while recording. */
async function credentialsFor({
  user,
  server,
  through,
}: Pick<Beside, 'user' | 'server' | 'through'>): Promise<VertexCredentials> {
  if (through === 'record') return { variables: {}, notes: [], dispose: () => undefined }
  const { url, caFile } = server
  const { makeVertexCredentials } = await import('./vertex-credentials.ts')
  return makeVertexCredentials(user, {
    url: caFile === undefined ? url : url.replace(/^http:/, 'https:'),
    vertex: server.sides?.().has('vertex') === true,
  })
}

/** What a person is told to set who starts the app elsewhere; nothing without TLS, or beside a command. */
export async function securePaste(
  env: NodeJS.ProcessEnv,
  { url, vertexUrl, caFile }: Beside['server'],
  command: UserCommand | undefined,
): Promise<string> {
  if (caFile === undefined || command !== undefined) return ''
  const { linesFor } = await import('./tls.ts')
  return `${await linesFor(env, { url, vertexUrl, caFile })}\n`
}
