/** Every HTTP client gets the same from a replay, each time. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { request as undiciRequest } from 'undici'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { payloadBytes } from '../../src/cassette/play.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import type { Pace } from '../../src/replay/http.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { loadCassette } from '../../src/store/load.ts'
import { rawRequest } from '../peers/raw-client.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Uint8Array | undefined
}

interface Got {
  readonly status: number
  readonly type: string | undefined
  readonly body: string
}

type Client = (origin: string, asked: Asked) => Promise<Got>

const JSON_TYPE = { 'content-type': 'application/json' }
const text = (body: Uint8Array): string => Buffer.from(body).toString('latin1')

const CLIENTS: Readonly<Record<string, Client>> = {
  async fetch(origin, { method, path, body }) {
    const response = await fetch(origin + path, { method, headers: JSON_TYPE, body: body ?? null })
    const type = response.headers.get('content-type') ?? undefined
    return { status: response.status, type, body: text(new Uint8Array(await response.arrayBuffer())) }
  },

  async undici(origin, { method, path, body }) {
    const response = await undiciRequest(origin + path, {
      method: method as 'POST',
      headers: JSON_TYPE,
      body: body ?? null,
    })
    const type = response.headers['content-type']?.toString()
    return { status: response.statusCode, type, body: text(await response.body.bytes()) }
  },

  'node:http': (origin, { method, path, body }) =>
    new Promise((done, fail) => {
      const request = httpRequest(origin + path, { method, headers: JSON_TYPE, agent: false }, response => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', fail)
        response.on('end', () => {
          const type = response.headers['content-type']
          done({ status: response.statusCode ?? 0, type, body: text(Buffer.concat(pieces)) })
        })
      })
      request.on('error', fail).end(body)
    }),

  async curl(origin, { method, path, body }) {
    const data = body === undefined ? [] : ['--data-binary', Buffer.from(body).toString('utf8')]
    const { stdout } = await promisify(execFile)(
      'curl',
      [
        '-sS',
        '-N',
        '-w',
        '\\n%{http_code} %{content_type}',
        '-X',
        method,
        '-H',
        'content-type: application/json',
        ...data,
        origin + path,
      ],
      { encoding: 'latin1' },
    )
    const at = stdout.lastIndexOf('\n')
    const [status, ...type] = stdout.slice(at + 1).split(' ')
    return { status: Number(status), type: type.join(' ') || undefined, body: stdout.slice(0, at) }
  },

  async 'a bare socket'(origin, asked) {
    const { status, headers, body } = await rawRequest(origin, asked)
    return { status, type: headers.find(([name]) => name === 'content-type')?.[1], body: text(body) }
  },
}

const folder = resolve(import.meta.dirname, '../../cassettes')
/** Those of HTTP; sockets have clients of their own. */
const files = readdirSync(folder).filter(name => name.endsWith('.cassette.yaml') && !name.startsWith('live-'))
const PACES: readonly Pace[] = [{ type: 'instant' }, { type: 'instant' }, { type: 'factor', factor: 100 }]

describe.each(files)('%s', name => {
  const file = join(folder, name)

  it.each(Object.entries(CLIENTS))('gives %s the same at each replay, at every pace', async (_, client) => {
    const transcripts: (readonly Got[])[] = []
    for (const pace of PACES) transcripts.push(await transcript(file, client, pace))
    const [first = [], ...others] = transcripts
    expect(first.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(first)
  })

  it('gives all of them the same', async () => {
    const all = await Promise.all(
      Object.values(CLIENTS).map(client => transcript(file, client, { type: 'instant' })),
    )
    for (const one of all) expect(one).toEqual(all[0])
  })
})

/** Asks for every exchange of a cassette in order, and returns what came; nothing may be missed or left. */
async function transcript(file: string, client: Client, pace: Pace): Promise<readonly Got[]> {
  const { cassette } = await loadCassette(file)
  const server = await createReplayServer({ files: [file], pace })
  const got: Got[] = []
  for (const document of cassette.documents) {
    if (document.type === 'exchange') got.push(await client(server.url, askedFor(document.exchange)))
  }
  const { failures, leftovers } = await server.close()
  expect({ failures, leftovers }).toEqual({ failures: [], leftovers: [] })
  return got
}

function askedFor({ request: { method, url, body } }: Exchange): Asked {
  const { pathname, search } = new URL(url)
  const bytes = body === undefined ? undefined : payloadBytes(body, unknown, () => undefined, new Set())
  return { method, path: pathname + search, body: bytes }
}
