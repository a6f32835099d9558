/**
 * Runs the user's command beside the server: its streams are ours, signals go on to it, its exit code is ours.
 *
 * Room: cli.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join } from 'node:path'
import { WiretapeError } from '../errors.ts'
import type { UserCommand } from './invocation.ts'
import { STOP_SIGNALS } from './stop.ts'

/** Throws `WIRETAPE_USAGE` unless the command can be found; nothing has to be undone then. */
export function checkCommand([name]: UserCommand, env: NodeJS.ProcessEnv): void {
  if (process.platform === 'win32' || isCommand(name, env)) return
  throw cannotStart(name, name.includes('/') ? 'it is no file that may be executed' : 'it is not on the PATH')
}

/**
 * Runs the command to its end.
 *
 * A terminal sends Ctrl-C to every process that it runs, so an interrupt is forwarded only where there is none.
 *
 * @returns Its exit code, or 128 and the signal's number, as a shell counts.
 */
export function runCommand([name, ...rest]: UserCommand, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, rest, { env, stdio: 'inherit' })
    const forward = (signal: NodeJS.Signals) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of STOP_SIGNALS) process.on(signal, forward)
    child.once('error', cause => reject(cannotStart(name, cause.message)))
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : system.signals[signal])),
    )
  })
}

/** True for the path of a file that may be executed, and for the name of one on the PATH. */
export function isCommand(name: string, env: NodeJS.ProcessEnv): boolean {
  const places = name.includes('/')
    ? [name]
    : (env['PATH'] ?? '').split(delimiter).map(folder => join(folder, name))
  return places.some(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function cannotStart(name: string, why: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `The command '${name}' can't be started: ${why}.`, {
    hint: "What follows '--' is run as it stands, without a shell; for shell syntax, write -- sh -c '…'.",
  })
}
