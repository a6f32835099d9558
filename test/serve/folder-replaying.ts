/** A replay of a folder that the test spells out, and what is asked of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  createReplayFolder,
  type ReplayFolder,
  type ReplayFolderOptions,
} from '../../src/serve/replay-folder.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { askedExchange, tape } from './replaying.ts'

/** A cassette of one exchange, with this answer. */
export const answering = (text: string): string =>
  tape(askedExchange(`response: { status: 200, body: ${text} }\nend: {}\n`))

/** What is told of a replay. */
export interface Verdict {
  readonly ok: boolean
  readonly message: string
  readonly [key: string]: unknown
}

/** Replays a folder of these cassettes, by name. */
export async function startFolder(
  cassettes: Readonly<Record<string, string>>,
  options: Partial<ReplayFolderOptions> = {},
): Promise<ReplayFolder> {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(cassettes)) {
    const file = join(folder, `${name}.cassette.yaml`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return createReplayFolder({ folder, ...options })
}

/** Asks for the verdict of a replay. */
export async function verdict(url: string, name: string): Promise<Verdict> {
  return (await (await fetch(`${url}/__wiretape__/${name}`)).json()) as Verdict
}
