/** Requests that waited behind another on a connection once stayed open for ever when the connection closed. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { afterwards, startBoth } from './started.ts'

const head = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

it('ends every exchange of a connection that its client has left', async () => {
  const { upstream, recording } = await startBoth((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegin')
  })
  const { hostname, port } = new URL(recording.server.url)
  const socket = connect(Number(port), hostname)
  socket.write(['/v1beta/a', '/v1beta/b', '/v1beta/c'].map(head).join(''))
  await once(socket, 'data')
  while (upstream.requests.length < 3) await upstream.more()
  socket.destroy()
  await recording.finished(3)
  expect(recording.exchanges.map(({ outcome }) => outcome)).toEqual([
    'client-abort',
    'client-abort',
    'client-abort',
  ])
})

it('replays no further to a connection that its client has left', async () => {
  const file = fileURLToPath(new URL('held.cassette.yaml', import.meta.url))
  const server = await createReplayServer({ files: [file], pace: { type: 'factor', factor: 1 } })
  afterwards(async () => void (await server.close({ graceMs: 0 })))
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(['/v1beta/models/one', '/v1beta/models/two'].map(head).join(''))
  await once(socket, 'data')
  socket.destroy()
  while (server.report().leftovers.length < 2) await new Promise(setImmediate)
  expect(server.report().leftovers.map(({ number, kind }) => [number, kind])).toEqual([
    [1, 'abandoned'],
    [2, 'abandoned'],
  ])
})
