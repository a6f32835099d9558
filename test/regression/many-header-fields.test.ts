/** Of more than a thousand header fields the rest, a content-length among it, was once left out without a word. */
import { expect, it } from 'vitest'
import { rawRequest } from '../peers/raw-client.ts'
import { startBoth } from './started.ts'

it('relays a request with every one of its header fields, and its body', async () => {
  const { upstream, recording } = await startBoth((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  const headers = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`x-${index}`, `${index}`]))
  await rawRequest(recording.server.url, {
    method: 'POST',
    path: '/v1beta/models/m:generateContent',
    headers,
    body: Buffer.from('{"a":1}'),
  })
  const [seen] = upstream.requests.map(request => request.toString())
  expect(seen).toContain('x-1499: 1499\r\n')
  expect(seen?.endsWith('\r\n\r\n{"a":1}')).toBe(true)
})
