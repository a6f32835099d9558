/** A reason phrase that HTTP can't carry once left the app without an answer and the recording without a cassette. */
import { expect, it } from 'vitest'
import { rawRequest } from '../peers/raw-client.ts'
import { startBoth } from './started.ts'

it('explains an answer whose reason phrase has a control character, and goes on recording', async () => {
  const { recording } = await startBoth((request, socket) => {
    const phrase = request.toString().includes('/odd') ? 'OK\u0001' : 'Fine'
    socket.write(`HTTP/1.1 200 ${phrase}\r\nContent-Length: 2\r\n\r\n{}`)
  })
  const ask = (path: string) => rawRequest(recording.server.url, { method: 'GET', path })
  const odd = await ask('/v1beta/odd')
  expect(odd.status).toBe(400)
  expect(odd.body.toString()).toContain('the reason phrase has a control character')
  const fine = await ask('/v1beta/models')
  expect([fine.status, fine.reason]).toEqual([200, 'Fine'])
  expect((await recording.server.close()).exchanges).toBe(2)
  expect(recording.exchanges.map(({ outcome }) => outcome)).toEqual(['upstream-error', 'complete'])
})
