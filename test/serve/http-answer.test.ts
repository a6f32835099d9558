/** An answer that HTTP can't carry cuts its connection, and says why. */
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { createHttpAnswer } from '../../src/serve/http-answer.ts'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'
import { rawRequest } from '../peers/raw-client.ts'

it('cuts the connection where a recorded head is none, and sends nothing of it', async () => {
  const told: string[] = []
  const over: boolean[] = []
  const server = createServer((_, response) => {
    const answer = createHttpAnswer(response, why => told.push(why))
    const headers = [['x-name', 'not latin: \u0100']] as const
    response.once('close', () => over.push(answer.isOver()))
    answer.run([
      { type: 'head', id: 1, status: 200, reason: undefined, headers, length: undefined },
      { type: 'chunk', id: 1, bytes: Uint8Array.of(1) },
      { type: 'end', id: 1, trailers: [] },
    ])
  })
  const url = await listenOnLoopback(server)
  await expect(rawRequest(url, { method: 'GET', path: '/' })).rejects.toThrow()
  await closeServer(server)
  expect(told).toEqual([expect.stringContaining('x-name')])
  expect(over).toEqual([true])
})
