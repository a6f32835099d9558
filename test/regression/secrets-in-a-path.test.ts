/** A key that is a segment of a path was once taken for a stretch of base64, because of the slash before it. */
import { connect } from 'node:net'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { startFolder } from '../serve/folder-replaying.ts'
import { afterwards, startBoth } from './started.ts'

const KEY = `AIzaSy${'B4nN7'.repeat(6)}xyz`

it('replaces a key that is a segment of the path, encoded slashes or not', async () => {
  const { recording } = await startBoth((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  })
  for (const path of [`/v1beta/${KEY}:get`, `/v1beta%2F${KEY}`, `/v1beta/${KEY}/models?alt=sse`]) {
    await rawRequest(recording.server.url, { method: 'GET', path })
  }
  await recording.finished(3)
  const urls = recording.journalled().map(({ request }) => request.url.replace(/^http:..[^/]*/, ''))
  expect(urls).toEqual([
    '/v1beta/redacted-api-key-1:get',
    '/v1beta%2Fredacted-api-key-1',
    '/v1beta/redacted-api-key-1/models?alt=sse',
  ])
  await recording.server.close()
  expect(await readFile(recording.file, 'utf8')).not.toContain(KEY.slice(4, 20))
})

it('shows none in the remark on a request that was broken off', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-path-'))
  afterwards(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a.cassette.yaml'), 'cassette: 1\n')
  const server = await createReplayServer({ files: [join(folder, 'a.cassette.yaml')] })
  afterwards(async () => void (await server.close()))
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname, () => {
    const path = `/v1/projects/my-own-project/locations/us/${KEY}`
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nhalf`, () => {
      socket.end()
    })
  })
  while (server.report().notes.length === 0) await new Promise(setImmediate)
  expect(server.report().notes).toEqual([
    'a client left before it had sent the whole of POST /v1/projects/redacted-project-1/locations/us/redacted-api-key-1',
  ])
})

it('shows none in the name of a cassette that is not there', async () => {
  await using folder = await startFolder({ a: 'cassette: 1\n' })
  for (const path of [`/t/${KEY}/x/v1beta/models`, `/t/x/${KEY}/v1beta/models`]) {
    const { body } = await rawRequest(folder.url, { method: 'GET', path })
    expect(body.toString()).toContain('redacted-api-key-1')
  }
  expect(JSON.stringify(await folder.close())).not.toContain(KEY.slice(4, 20))
})
