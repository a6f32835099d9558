/**
 * Runs the built command as a shell does, and waits for what it says instead of for time.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'

/** The command that `npm run build` has made. */
export const CLI: string = resolve(import.meta.dirname, '../../dist/cli.js')

/** What a command has said and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** The first group, or the whole, of what matches in what it has said on a stream; waits for it. */
  says(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>
  readonly ended: Promise<Ended>
}

/** How a command is run. */
export interface SpawnOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Options for Node. */
  readonly node?: readonly string[]
  /** Another copy of the command. */
  readonly cli?: string
}

/** Starts `wiretape` with these words. It is killed if it outlives its test. */
export function start(words: readonly string[], options: SpawnOptions = {}): Running {
  const env = { ...process.env, NO_COLOR: '1', ...options.env }
  const child = spawn(process.execPath, [...(options.node ?? []), options.cli ?? CLI, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const text = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (piece: string) => {
      text[stream] += piece
      child.emit('said')
    })
  }
  const ended = new Promise<Ended>(done => child.once('close', code => done({ code, ...text })))
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    ended,
    says: (stream, pattern) =>
      new Promise((found, failed) => {
        const look = () => {
          const match = pattern.exec(text[stream])
          if (match !== null) found(match[1] ?? match[0])
        }
        child.on('said', look)
        void ended.then(({ code, stdout, stderr }) =>
          failed(new Error(`ended with ${code} before it said ${pattern}\n${stdout}\n${stderr}`)),
        )
        look()
      }),
  }
}

/** Runs `wiretape` with these words to its end. */
export function wiretape(words: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  return start(words, options).ended
}

/** An empty folder that is gone after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wiretape-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Output without what differs from run to run: ports, and milliseconds. */
export function stable(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/\b\d+ ms\b/g, 'N ms')
    .replaceAll(/"ms":[\d.]+/g, '"ms":N')
}
