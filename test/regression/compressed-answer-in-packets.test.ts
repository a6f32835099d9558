/** A compressed answer that comes in more than one packet, with a length, once kept the recorder busy for ever. */
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { rawRequest } from '../peers/raw-client.ts'
import { startBoth } from './started.ts'

it('records a compressed answer of any length that comes byte by byte', async () => {
  const text = JSON.stringify({ text: 'the tide comes in, the tide goes out' })
  const body = gzipSync(text)
  let waiting: { readonly until: number; readonly resume: () => void } | undefined
  const { recording } = await startBoth(async (_, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`)
    for (let at = 0; at < body.length; at += 1) {
      await new Promise<void>(resume => {
        waiting = { until: at + 1, resume }
        socket.write(body.subarray(at, at + 1))
      })
    }
  })
  const answer = await rawRequest(recording.server.url, {
    method: 'GET',
    path: '/v1beta/models',
    onBody(total) {
      if (waiting !== undefined && total >= waiting.until) waiting.resume()
    },
  })
  expect(answer.body).toEqual(body)
  await recording.finished(1)
  const chunks = recording.journalled()[0]?.response?.chunks ?? []
  expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()).toBe(text)
})
