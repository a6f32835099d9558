/**
 * Runs the user's command beside a server, with what it needs to reach it.
 *
 * Room: cli.
 */
import { runCommand } from './child.ts'
import type { Addresses } from './environment.ts'
import type { UserCommand } from './invocation.ts'

/** What the command runs beside. */
export interface Beside {
  /** What the user has set. */
  readonly user: NodeJS.ProcessEnv
  /** The same, with base URLs and keys. */
  readonly base: NodeJS.ProcessEnv
  readonly server: Addresses & { readonly caFile: string | undefined }
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
  if (caFile === undefined) return runCommand(command, base)
  const { secureEnvironment } = await import('./tls-environment.ts')
  const { env, notes, dispose } = await secureEnvironment(user, base, { url, vertexUrl, caFile }, through)
  try {
    for (const note of notes) say(`note: ${note}\n`)
    return await runCommand(command, env)
  } finally {
    dispose()
  }
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
