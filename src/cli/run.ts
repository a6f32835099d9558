/**
 * Runs one command line to its exit code.
 *
 * Each command's rooms are loaded when it runs: `--version` needs none of them.
 *
 * Room: cli.
 */
import { WiretapeError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import type { Invocation } from './invocation.ts'
import { painter, type Surroundings } from './output.ts'

/**
 * Runs a command line, without the names of Node and of the script.
 *
 * @returns The exit code: that of the user's command where there is one; else 0, or 1 where something failed,
 *   or 2 where the command line itself is wrong.
 */
export async function run(words: readonly string[], surroundings: Surroundings = process): Promise<number> {
  try {
    return await dispatch(readArguments(words), surroundings)
  } catch (error) {
    if (!WiretapeError.is(error)) throw error
    const { errorReport } = await import('./report.ts')
    surroundings.stderr.write(errorReport(error, painter(surroundings.stderr, surroundings.env)))
    return error.code === 'WIRETAPE_USAGE' ? 2 : 1
  }
}

async function dispatch(invocation: Invocation, surroundings: Surroundings): Promise<number> {
  switch (invocation.type) {
    case 'print':
      surroundings.stdout.write(`${invocation.text.trimEnd()}\n`)
      return 0
    case 'record':
      return (await import('./record.ts')).record(invocation, surroundings)
    case 'replay':
      return (await import('./replay.ts')).replay(invocation, surroundings)
    case 'show':
      return (await import('./show.ts')).show(invocation, surroundings)
    case 'lint':
      return (await import('./lint.ts')).lint(invocation, surroundings)
    case 'pack':
      return (await import('./pack.ts')).pack(invocation, surroundings)
    case 'unpack':
      return (await import('./pack.ts')).unpack(invocation, surroundings)
    case 'tls':
      return (await import('./tls.ts')).tls(invocation, surroundings)
    case 'recover':
      return (await import('./recover.ts')).recoverFile(invocation.file, surroundings)
    case 'demo':
      return (await import('./demo.ts')).demo(surroundings)
  }
}
