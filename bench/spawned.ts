/** The processes that are measured: the command, and the peers beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join, resolve } from 'node:path'

/** The root of the project: the build is in `bench/.cache`. */
export const ROOT: string = resolve(import.meta.dirname, '../..')

/** The built command. */
export const CLI: string = join(ROOT, 'dist/cli.js')

/** A process that has said what it had to say. */
export interface Spawned {
  readonly child: ChildProcess
  /** The first line of its stdout, which is JSON. */
  readonly said: Readonly<Record<string, unknown>>
  /** Asks it to end, and waits until it has. */
  end(): Promise<void>
}

/** Starts Node with these words and waits for a line. */
export async function spawned(words: readonly string[]): Promise<Spawned> {
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const said: unknown = await Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(String(line)) as unknown),
    exited.then(([code]) => Promise.reject(new Error(`ended with ${String(code)}: ${words.join(' ')}`))),
  ])
  return {
    child,
    said: said as Readonly<Record<string, unknown>>,
    async end() {
      child.kill('SIGINT')
      await exited
    },
  }
}

/** Starts one of the peers in `peer.ts`. */
export function startPeer(kind: string, ...words: readonly string[]): Promise<Spawned> {
  return spawned([join(import.meta.dirname, 'peer.js'), kind, ...words])
}

/** The port of the URL that a process said. */
export function portOf({ said }: Spawned): number {
  return Number(new URL(String(said['url'])).port)
}

/** How long a Node with these words lives, in milliseconds. */
export async function lifetime(words: readonly string[]): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, words, { stdio: 'ignore', cwd: ROOT })
  await once(child, 'exit')
  return performance.now() - began
}
