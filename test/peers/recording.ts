/** A recording proxy in a folder of its own, and what its journal holds while it runs. */
import { readFileSync } from 'node:fs'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readJournal } from '../../src/record/journal.ts'
import { transcribe } from '../../src/record/transcribe.ts'
import {
  createRecordServer,
  type RecordServer,
  type RecordServerOptions,
} from '../../src/serve/record-server.ts'
import type { FinishedExchange } from '../../src/serve/recorder.ts'
import { logPaths } from '../../src/store/logs.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'

/** A running proxy. */
export interface Recording {
  readonly server: RecordServer
  readonly file: string
  readonly folder: string
  /** Those that are over, in the order in which they ended. */
  readonly exchanges: readonly FinishedExchange[]
  /** Resolves when this many exchanges are over. */
  finished(count: number): Promise<void>
  /** What is in the journals now. */
  journalled(): readonly WireExchange[]
  /** Finishes it if it still runs, and removes the folder. */
  dispose(): Promise<void>
}

/** Starts one in front of this upstream. */
export async function startRecording(
  upstream: string,
  options: Partial<RecordServerOptions> = {},
): Promise<Recording> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-record-'))
  const file = join(folder, 'session.cassette.yaml')
  const exchanges: FinishedExchange[] = []
  const signal = new EventEmitter()
  const server = await createRecordServer({
    file,
    upstream,
    ...options,
    onExchange(finished) {
      exchanges.push(finished)
      signal.emit('change')
    },
  })
  return {
    server,
    file,
    folder,
    exchanges,
    async finished(count) {
      while (exchanges.length < count) await once(signal, 'change')
    },
    journalled: () =>
      logPaths(file).flatMap(path => {
        const transcript = transcribe(readJournal(readFileSync(path), path).records)
        return transcript === undefined ? [] : [transcript.exchange]
      }),
    async dispose() {
      await server.close({ graceMs: 0 }).catch(() => undefined)
      await rm(folder, { recursive: true })
    },
  }
}
