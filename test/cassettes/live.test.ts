/**
 * The shipped cassettes of sockets hold what the official SDK says, and say what it can hear.
 *
 * Each has a small app (`live-clients.ts`): what it says to a plain server is what the cassette holds, and a
 * replay of the cassette answers it to the end.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { socketMessages } from '../../src/cassette/play.ts'
import { live } from '../../src/dialect/live.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { loadCassette } from '../../src/store/load.ts'
import { LIVE_CLIENTS } from './live-clients.ts'
import { startLiveService } from './live-service.ts'

const folder = resolve(import.meta.dirname, '../../cassettes')
const names = readdirSync(folder)
  .filter(file => file.startsWith('live-') && file.endsWith('.cassette.yaml'))
  .map(file => file.replace('.cassette.yaml', ''))

function fileOf(name: string): string {
  return resolve(folder, `${name}.cassette.yaml`)
}

async function socketsOf(
  name: string,
): Promise<Awaited<ReturnType<typeof loadCassette>> & { exchanges: Exchange[] }> {
  const tape = await loadCassette(fileOf(name))
  const exchanges = tape.cassette.documents.flatMap(document =>
    document.type === 'exchange' ? [document.exchange] : [],
  )
  return { ...tape, exchanges }
}

/** Sound as how much of it there is: a transcript is for reading. */
function brief(heard: unknown): unknown {
  return JSON.parse(
    JSON.stringify(heard, (key, value: unknown) =>
      key === 'data' && typeof value === 'string' ? `${value.length} characters of base64` : value,
    ),
  )
}

describe.each(names)('%s', name => {
  it('holds what @google/genai says', async () => {
    const { exchanges, blobs } = await socketsOf(name)
    const service = await startLiveService(exchanges, blobs)
    await LIVE_CLIENTS[name]?.(service.url)
    service.close()
    const recorded = exchanges.map(exchange =>
      [...socketMessages(exchange, live, blobs)]
        .filter(message => message.from === 'client')
        .map(message => new TextDecoder().decode(message.bytes)),
    )
    expect(service.heard).toEqual(recorded)
  })

  it('is replayed to @google/genai, to its end', async () => {
    await using replay = await createReplayServer({ files: [fileOf(name)] })
    const transcript = await LIVE_CLIENTS[name]?.(replay.url)
    const { failures, leftovers, notes } = await replay.close()
    expect({ failures, leftovers, notes }).toEqual({ failures: [], leftovers: [], notes: [] })
    expect(brief(transcript)).toMatchSnapshot()
  })

  it('says what it is about, and stays as it is under Prettier', async () => {
    const text = readFileSync(fileOf(name), 'utf8')
    expect(text).toMatch(/^# .+\ncassette: 1\n/)
    expect(text).toMatch(/^note: .+$/m)
    expect(await format(text, { parser: 'yaml' })).toBe(text)
  })
})

it('has a client for each cassette', () => {
  expect(Object.keys(LIVE_CLIENTS).toSorted()).toEqual(names.toSorted())
})

it.each(['live-interrupted-text', 'live-interrupted-thought', 'live-cancelled-call', 'live-resumed-session'])(
  '%s says what it rests on, for no public recording holds it',
  name => {
    expect(readFileSync(fileOf(name), 'utf8')).toMatch(/No public recording holds[^.]*\. It\s+rests on/)
  },
)
