/** Texts of more than the size of a cassette once left a recording that could neither be finished nor recovered. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { afterwards, startBoth } from './started.ts'

const LINE = '{"response": {"candidates": [{"content": {"parts": [{"text": "a line of a batch"}]}}]}}\n'
const FILE = Buffer.from(LINE.repeat(60_000))

it('puts a long text beside the cassette, and replays it byte for byte', async () => {
  const { recording } = await startBoth((_, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${FILE.length}\r\n\r\n`)
    socket.write(FILE)
  })
  const asked = { method: 'GET', path: '/v1beta/files/batch:download?alt=media' }
  await rawRequest(recording.server.url, asked)
  await recording.finished(1)
  expect(await recording.server.close()).toMatchObject({ exchanges: 1, blobs: 1 })
  expect((await stat(recording.file)).size).toBeLessThan(100_000)
  const [blob = ''] = await readdir(join(recording.folder, 'session.cassette.blobs'))
  expect(blob).toMatch(/^[0-9a-f]{16}\.txt$/)

  const server = await createReplayServer({ files: [recording.file] })
  afterwards(async () => void (await server.close()))
  const { body, complete } = await rawRequest(server.url, asked)
  expect(complete).toBe(true)
  expect(body.equals(FILE)).toBe(true)
})
