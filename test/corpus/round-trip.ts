/**
 * Sends recorded traffic through the recording proxy, replays the cassette, and says what came back.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecordServer } from '../../src/serve/record-server.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { startLockstepUpstream } from '../peers/lockstep-upstream.ts'
import { rawRequest, type RawResponse } from '../peers/raw-client.ts'
import type { CorpusExchange } from './recordings.ts'

/** What one exchange was served as, what the client got through the proxy, and what the replay gave. */
export interface RoundTrip {
  readonly exchange: CorpusExchange
  readonly served: readonly Uint8Array[]
  readonly recorded: RawResponse
  readonly replayed: RawResponse
}

/** Records the exchanges of one file into one cassette and replays it to a client that sends the same again. */
export async function roundTrip(
  exchanges: readonly CorpusExchange[],
  cut: (body: Uint8Array, index: number) => Uint8Array[],
): Promise<RoundTrip[]> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-corpus-'))
  const file = join(folder, 'corpus.cassette.yaml')
  const upstream = await startLockstepUpstream()
  try {
    const proxy = await createRecordServer({ file, upstream: upstream.url, vertexUpstream: upstream.url })
    const recorded: Omit<RoundTrip, 'replayed'>[] = []
    for (const [index, exchange] of exchanges.entries()) {
      const served = cut(exchange.body, index)
      upstream.answerWith({ status: exchange.status, headers: exchange.headers, pieces: served })
      const response = await ask(proxy, exchange, total => upstream.delivered(total))
      recorded.push({ exchange, served, recorded: response })
    }
    await proxy.close()
    const replay = await createReplayServer({ files: [file] })
    const trips: RoundTrip[] = []
    for (const trip of recorded) trips.push({ ...trip, replayed: await ask(replay, trip.exchange, () => {}) })
    const report = await replay.close()
    if (report.failures.length + report.leftovers.length > 0) throw new Error(JSON.stringify(report, null, 2))
    return trips
  } finally {
    await upstream.close()
    await rm(folder, { recursive: true })
  }
}

function ask(
  server: { readonly url: string; readonly vertexUrl: string },
  exchange: CorpusExchange,
  onBody: (total: number) => void,
): Promise<RawResponse> {
  const origin = exchange.path.includes('/projects/') ? server.vertexUrl : server.url
  return rawRequest(origin, {
    method: exchange.method,
    path: exchange.path,
    headers: { 'content-type': 'application/json' },
    body: exchange.requestBody,
    onBody,
  })
}
