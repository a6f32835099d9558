/** A disk that is full stops the recording loudly, and costs the app nothing. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recover } from '../../src/store/finish.ts'
import { startByteUpstream, type ByteScript } from '../peers/byte-upstream.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { buildChild, type ChildProgram } from './process.ts'

let program: ChildProgram
let folder: string
beforeAll(async () => {
  program = await buildChild()
  folder = await mkdtemp(join(tmpdir(), 'wiretape-full-'))
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true })
  await program.dispose()
})

const STREAM = 'data: {"a": 1}\r\n\r\ndata: {"a": 2}\r\n\r\n'
const script: ByteScript = (_, socket) => {
  const length = STREAM.length.toString(16)
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
  socket.write(`${length}\r\n${STREAM}\r\n${length}\r\n${STREAM}\r\n0\r\n\r\n`)
}
const request = { method: 'POST', path: '/v1beta/models/m:x', body: Buffer.from('none') }

describe('a full disk', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'at the write %i of a journal is said, and the app gets its answer',
    async number => {
      const file = join(folder, `full-${number}.cassette.yaml`)
      const upstream = await startByteUpstream(script)
      const child = program.start(['record', file, upstream.url], { TEST_KILL: `${number}:full:writevSync` })
      const url = String((await child.line())?.['url'])
      const got = await rawRequest(url, request)
      expect(got.body.toString()).toBe(`${STREAM}${STREAM}`)
      const next = await rawRequest(url, request)
      expect(next.status).toBe(400)
      expect(next.body.toString()).toContain('WIRETAPE_WRITE')
      const { code, output } = await child.finish()
      await upstream.close()
      expect(code).toBe(1)
      expect(output).toContain('no space left on device')
      expect(output).toContain('wiretape recover')
      expect(await recover(file)).toMatchObject({ exchanges: number === 1 ? 0 : 1 })
    },
  )

  it('at the end leaves the journal for a recovery', async () => {
    const file = join(folder, 'end.cassette.yaml')
    const upstream = await startByteUpstream(script)
    const child = program.start(['record', file, upstream.url], { TEST_KILL: '3:full:writeSync' })
    await rawRequest(String((await child.line())?.['url']), request)
    const { code, output } = await child.finish()
    await upstream.close()
    expect([code, output]).toEqual([1, expect.stringContaining('no space left on device')])
    expect(await recover(file)).toMatchObject({ exchanges: 1, truncated: 0 })
  })
})

describe('a system that takes half of each write', () => {
  it('is given the rest', async () => {
    const file = join(folder, 'short.cassette.yaml')
    const upstream = await startByteUpstream(script)
    const child = program.start(['record', file, upstream.url], { TEST_KILL: '1:short' })
    await rawRequest(String((await child.line())?.['url']), request)
    const { code, output } = await child.finish()
    await upstream.close()
    expect(code, output).toBe(0)
    expect(await readFile(file, 'utf8')).toMatch(/data: \|-\n {8}\{"a": 2\}/)
  })
})
