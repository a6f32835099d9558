/** A recorder in a process of its own, that looks at every buffer which it hands to a write for what is planted. */
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { TELLING } from './planted.ts'
import type { ChildProgram } from './process.ts'

/** A running one. */
export interface Watched {
  readonly url: string
  readonly vertexUrl: string
  /** Ends it. All that it has written and said holds no secret. */
  finish(): Promise<{ readonly code: number | null; readonly output: string; readonly cassette: string }>
}

/** Starts one in front of a service, which it closes at the end. */
export async function watchRecorder(
  program: ChildProgram,
  folder: string,
  upstream: { readonly url: string; close(): Promise<void> },
): Promise<Watched> {
  const run = await mkdtemp(join(folder, 'run-'))
  const child = program.start(['record', join(run, 'session.cassette.yaml'), upstream.url], {
    TEST_SECRETS: JSON.stringify(TELLING),
  })
  const listening = await child.line()
  return {
    url: String(listening?.['url']),
    vertexUrl: String(listening?.['vertexUrl']),
    async finish() {
      const { code, output } = await child.finish()
      await upstream.close()
      const left = await everything(run)
      for (const text of [...left, output]) {
        for (const secret of TELLING) expect(text).not.toContain(secret)
      }
      return { code, output, cassette: left.find(text => text.startsWith('cassette: 1')) ?? '' }
    },
  }
}

async function everything(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  return Promise.all(files.map(entry => readFile(join(entry.parentPath, entry.name), 'latin1')))
}
