/**
 * A service that answers before it has the whole request (a refused upload) once left the rest of it unread:
 * the client could not send on, its next request was never seen, and the recording had half a body.
 */
import { connect } from 'node:net'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startRecording } from '../peers/recording.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { afterwards } from './started.ts'

const BODY = Buffer.alloc(8_000_000, 'upload ')

async function startImpatientService(): Promise<string> {
  const server = createServer((request, response) => {
    request.on('error', () => undefined)
    if (request.method === 'GET') response.end('next')
    else response.writeHead(413, { 'content-length': '5' }).end('large')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterwards(
    () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('reads a request to its end, and then the next on the same connection', async () => {
  const recording = await startRecording(await startImpatientService())
  afterwards(() => recording.dispose())
  const { hostname, port } = new URL(recording.server.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  const both = new Promise<void>(resolve => {
    socket.on('data', bytes => {
      text += bytes.toString('latin1')
      if (text.endsWith('next')) resolve()
    })
  })
  socket.write(
    `POST /upload/v1beta/files HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  )
  // Nothing is read of the answer before all is sent, as some clients do it.
  await new Promise<unknown>(resolve => socket.write(BODY, resolve))
  socket.write('GET /v1beta/models HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await both
  socket.destroy()
  await recording.finished(2)
  expect(recording.exchanges.map(({ status, outcome }) => [status, outcome])).toEqual([
    [413, 'complete'],
    [200, 'complete'],
  ])
  expect(recording.journalled()[0]?.request.body?.length).toBe(BODY.length)
})

it('records the whole request where the answer ends while it is still being sent', async () => {
  const recording = await startRecording(await startImpatientService())
  afterwards(() => recording.dispose())
  const answer = await rawRequest(recording.server.url, {
    method: 'POST',
    path: '/upload/v1beta/files',
    headers: { connection: 'keep-alive' },
    body: Buffer.from('a small one'),
  })
  expect([answer.status, answer.complete]).toEqual([413, true])
  await recording.finished(1)
  expect(Buffer.from(recording.journalled()[0]?.request.body ?? []).toString()).toBe('a small one')
})
