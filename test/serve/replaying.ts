/** A replay server for a cassette that the test spells out. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  createReplayServer,
  type ReplayServer,
  type ReplayServerOptions,
} from '../../src/serve/replay-server.ts'

/** The path that {@link askedExchange} is asked at, and its body. */
export const PATH = '/v1beta/models/m:streamGenerateContent?alt=sse'
export const BODY = '{"contents":[]}'

/** A cassette of these exchanges. */
export function tape(...exchanges: readonly string[]): string {
  return ['cassette: 1\n', ...exchanges].join('---\n')
}

/** An exchange that is asked with {@link BODY} at {@link PATH}; the rest as given, in YAML. */
export function askedExchange(rest: string): string {
  return `exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com${PATH}
  body: { contents: [] }
${rest}`
}

/** Writes a cassette, and its blobs, into a folder that is gone after the test; gives its path. */
export async function cassetteFile(
  yaml: string,
  blobs: Readonly<Record<string, Uint8Array>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-replay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'test.cassette.yaml')
  await writeFile(file, yaml)
  const beside = join(folder, 'test.cassette.blobs')
  await mkdir(beside)
  for (const [name, bytes] of Object.entries(blobs)) await writeFile(join(beside, name), bytes)
  return file
}

/** A running replay of one cassette, in a folder of its own. */
export interface Replaying {
  readonly server: ReplayServer
  readonly file: string
  [Symbol.asyncDispose](): Promise<void>
}

/** Writes the cassette, and its blobs, and starts to replay it. */
export async function startReplaying(
  yaml: string,
  options: Partial<ReplayServerOptions> = {},
  blobs: Readonly<Record<string, Uint8Array>> = {},
): Promise<Replaying> {
  const file = await cassetteFile(yaml, blobs)
  const server = await createReplayServer({ files: [file], ...options })
  return {
    server,
    file,
    async [Symbol.asyncDispose]() {
      await server.close({ graceMs: 0 })
    },
  }
}
