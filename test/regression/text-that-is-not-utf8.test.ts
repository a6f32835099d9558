/** One text frame that was not UTF-8, of either side, once made a recording that could not be written or recovered. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { afterwards } from './started.ts'
import { clientOf, PATH, served } from '../serve/socket-recording.ts'

const BROKEN = Buffer.from([0xff, 0xc0])

/** Opens a socket with a good message, answers the first of the service with a broken one, and tells what came. */
async function talk(url: string): Promise<readonly string[]> {
  const seen: string[] = []
  const client = clientOf(url)
  client.on('open', () => client.send('{"setup":{}}'))
  client.on('message', (data: Buffer, binary) => {
    seen.push(`${binary ? 'binary' : 'text'} ${data.toString('hex')}`)
    if (seen.length === 1) client.send(BROKEN, { binary: false })
  })
  return new Promise(resolve => {
    client.on('close', (code, reason) => resolve([...seen, `${code} ${reason.toString()}`]))
  })
}

it('is recorded, written and replayed as it was', async () => {
  const { recording, url } = await served(socket => {
    let count = 0
    socket.on('message', () => {
      count += 1
      socket.send(BROKEN, { binary: false })
      if (count === 2) socket.close(1007, 'Invalid UTF-8')
    })
  })
  const recorded = await talk(url)
  expect(recorded).toEqual(['text ffc0', 'text ffc0', '1007 Invalid UTF-8'])
  await recording.finished(1)
  expect(await recording.server.close()).toMatchObject({ exchanges: 1 })
  const replay = await createReplayServer({ files: [join(recording.folder, 'session.cassette.yaml')] })
  afterwards(async () => void (await replay.close()))
  expect(await talk(`${replay.url.replace('http', 'ws')}${PATH}`)).toEqual(recorded)
  expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
})
