/** Sockets in cassettes: which exchanges they are, and what bytes their payloads stand for. */
import { describe, expect, it } from 'vitest'
import { blobsIn } from '../../src/cassette/blobs.ts'
import type { CassetteDocument, Exchange, Payload } from '../../src/cassette/model.ts'
import { live } from '../../src/dialect/live.ts'
import { liveSources } from '../../src/replay/live-source.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'
import { connection } from './live-playbook.ts'

const documents = (exchanges: readonly Exchange[]): readonly CassetteDocument[] => [
  { type: 'header', header: { cassette: 1 } },
  ...exchanges.map(exchange => ({ type: 'exchange', exchange }) as const),
]
const sources = (...exchanges: readonly Exchange[]) =>
  liveSources(
    [
      {
        cassette: { file: 'a.cassette.yaml', documents: documents(exchanges) },
        blobs: blobsIn(new Map([['1-client.pcm', Uint8Array.of(1, 2, 3, 4, 5, 6)]])),
      },
    ],
    live,
  )

describe('the sockets of a cassette', () => {
  it('are its connections and its refused upgrades, by their place among all exchanges', () => {
    const http = connection(undefined, { exchange: 'generate-content' })
    const refused = connection(undefined, {
      response: { status: 401, headers: [], trailers: [], body: { type: 'text', text: 'no' } },
    })
    expect(sources(http, connection([]), http, refused).map(({ file, number }) => [file, number])).toEqual([
      ['a.cassette.yaml', 2],
      ['a.cassette.yaml', 4],
    ])
  })

  it('keep what is played again and again, but for long messages', () => {
    const short = { type: 'text', text: 'a' } as const
    const long = { type: 'text', text: 'a'.repeat(5_000) } as const
    const made = (payload: Payload, more: Partial<Exchange>) => {
      const [source] = sources(connection([], more))
      return [source?.bytes(payload, 'server'), source?.bytes(payload, 'server')] as const
    }
    for (const [payload, more, isKept] of [
      [short, { repeat: 'always' }, true],
      [short, {}, false],
      [long, { repeat: 2 }, false],
    ] as const) {
      const [one, other] = made(payload, more)
      expect(other).toEqual(one)
      expect(other === one).toBe(isKept)
    }
  })

  it('have their payloads spelled by side, with the numbers as they were written', () => {
    const [source] = sources(connection([]))
    const payload = { type: 'value', value: { a: 1 }, numbers: ['1.0'] } as const
    expect(decodeUtf8(source?.bytes(payload, 'client') ?? new Uint8Array())).toBe('{"a":1.0}')
    expect(decodeUtf8(source?.bytes(payload, 'server') ?? new Uint8Array())).toBe('{\n  "a": 1.0\n}\n')
  })

  it('have their blobs put back', () => {
    const [source] = sources(connection([], { blobs: { '1-client.pcm': 6 } }))
    const payload = { type: 'value', value: { data: 'blob:1-client.pcm@3+3' } } as const
    expect(decodeUtf8(source?.bytes(payload, 'client') ?? new Uint8Array())).toBe('{"data":"BAUG"}')
  })
})
