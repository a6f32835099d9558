/** What was nested thousands of levels deep once ran a replay out of stack, and ended the process. */
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Received } from '../../src/replay/received.ts'
import { askedExchange, BODY, PATH, startReplaying, tape } from '../serve/replaying.ts'
import { SOCKET, SOCKET_PATH } from '../serve/tls-peers.ts'

const ANSWER = askedExchange('response:\n  status: 200\n  body: { n: 1 }\nend: {}\n')
const DEPTH = 20_000
const LISTS = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
const OBJECTS = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`

it('is a request that is not on the recording, and told as text', async () => {
  const received: Received[] = []
  await using replaying = await startReplaying(tape(ANSWER), { onReceived: each => received.push(each) })
  for (const body of [LISTS, OBJECTS, `{"contents":${LISTS}}`]) {
    const { status } = await fetch(`${replaying.server.url}${PATH}`, { method: 'POST', body })
    expect(status).toBe(400)
    expect(received.at(-1)).toMatchObject({ text: body, exchange: undefined })
  }
  const { status } = await fetch(`${replaying.server.url}${PATH}`, { method: 'POST', body: BODY })
  expect(status).toBe(200)
})

it.each([LISTS, OBJECTS, `{"setup":${OBJECTS}}`])('is a message that is not on it: %.20s', async sent => {
  await using replaying = await startReplaying(tape(SOCKET), { onReceived: () => undefined })
  const socket = new WebSocket(`${replaying.server.url.replace('http', 'ws')}${SOCKET_PATH}`)
  socket.on('open', () => socket.send(sent))
  await new Promise(closed => socket.once('close', closed))
  expect(replaying.server.report().failures).toHaveLength(1)
})
