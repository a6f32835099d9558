/** A 304 that says how long the body is that it does not have was once taken for a cut connection. */
import { expect, it } from 'vitest'
import { rawRequest } from '../peers/raw-client.ts'
import { startBoth } from './started.ts'

it('relays a 304 with a content-length whole', async () => {
  const { recording } = await startBoth((_, socket) => {
    socket.write('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 5\r\n\r\n')
  })
  const answer = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
  expect([answer.status, answer.headers[0], answer.complete]).toEqual([304, ['ETag', '"x"'], true])
  await recording.finished(1)
  expect(recording.exchanges[0]).toMatchObject({ status: 304, outcome: 'complete' })
})
