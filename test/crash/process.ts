/** Starts the child of the crash and secret tests, built once from the sources as they are. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

/** The built child. */
export interface ChildProgram {
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Child
  dispose(): Promise<void>
}

/** A running child. */
export interface Child {
  /** The next line of its output, parsed; undefined when it has ended. */
  line(): Promise<Readonly<Record<string, unknown>> | undefined>
  /** Lets it finish, and waits until it is gone. */
  finish(): Promise<{ readonly code: number | null; readonly signal: string | null; readonly output: string }>
}

/** Builds it, in a folder inside the repository, so that it finds its libraries. */
export async function buildChild(): Promise<ChildProgram> {
  const out = await mkdtemp(join(resolve(import.meta.dirname, '../../node_modules'), '.wiretape-child-'))
  await build({
    entry: {
      child: fileURLToPath(new URL('./child.ts', import.meta.url)),
      hooks: fileURLToPath(new URL('./hooks.ts', import.meta.url)),
    },
    outDir: out,
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    target: 'node20.19',
    config: false,
    silent: true,
    splitting: false,
  })
  return {
    start: (args, env = {}) =>
      childOf(
        spawn(process.execPath, ['--import', join(out, 'hooks.mjs'), join(out, 'child.mjs'), ...args], {
          env: { PATH: process.env['PATH'], ...env },
          cwd: tmpdir(),
        }),
      ),
    dispose: () => rm(out, { recursive: true }),
  }
}

function childOf(child: ChildProcess): Child {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('the child has no pipes')
  let output = ''
  stdout.on('data', bytes => (output += String(bytes)))
  stderr.on('data', bytes => (output += String(bytes)))
  const lines = createInterface(stdout)[Symbol.asyncIterator]()
  const gone = new Promise<{ code: number | null; signal: string | null }>(done => {
    child.once('close', (code, signal) => done({ code, signal }))
  })
  stdin.on('error', () => {
    // It was killed before it was told to finish.
  })
  return {
    async line() {
      const next = await lines.next()
      if (next.done === true) return undefined
      return JSON.parse(next.value) as Readonly<Record<string, unknown>>
    },
    async finish() {
      stdin.end()
      return { ...(await gone), output }
    },
  }
}
