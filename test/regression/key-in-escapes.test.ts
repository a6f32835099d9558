/** A key that JSON spells in escapes once came by unseen, and stood in the cassette in plain. */
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { rawRequest } from '../peers/raw-client.ts'
import { startBoth } from './started.ts'

const KEY = `AIzaSy${'B4nN7'.repeat(6)}xyz`

it('writes no cassette that would spell out a key that was recorded in escapes', async () => {
  const { recording } = await startBoth((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  })
  const ask = (text: string) =>
    rawRequest(recording.server.url, {
      method: 'POST',
      path: '/v1beta/models/m:generateContent',
      body: Buffer.from(`{"contents":[{"parts":[{"text":"${text}"}]}]}`),
    })
  await ask('no key')
  await ask(KEY.replace('A', '\\u0041'))
  await expect(recording.server.close()).rejects.toMatchObject({
    code: 'WIRETAPE_SECRET',
    message: expect.stringContaining('A key in exchange 2 is spelled so that'),
  })
  expect(await readdir(recording.folder)).toEqual(['session.cassette.journal'])
})
