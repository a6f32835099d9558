/** A journal that was removed under a recorder once ended in a stack trace, or in a cassette that had less. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recover } from '../../src/store/finish.ts'
import { rawRequest } from '../peers/raw-client.ts'
import type { Recording } from '../peers/recording.ts'
import { startBoth } from './started.ts'

async function recordTwo(): Promise<{ recording: Recording; journal: string }> {
  const { recording } = await startBoth((_, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  })
  for (const path of ['/v1beta/models/a', '/v1beta/models/b']) {
    await rawRequest(recording.server.url, { method: 'GET', path })
  }
  await recording.finished(2)
  return { recording, journal: join(recording.folder, 'session.cassette.journal') }
}

it('says that a journal was removed while it was recorded', async () => {
  const { recording, journal } = await recordTwo()
  await rm(journal, { recursive: true })
  await expect(recording.server.close()).rejects.toMatchObject({
    code: 'WIRETAPE_JOURNAL_INVALID',
    message: expect.stringContaining("The journal can't be read: ENOENT"),
  })
})

it('says which part of a journal was removed, and recovers the others', async () => {
  const { recording, journal } = await recordTwo()
  await rm(join(journal, '0001.log'))
  await expect(recording.server.close()).rejects.toMatchObject({
    code: 'WIRETAPE_JOURNAL_INVALID',
    message: expect.stringMatching(/^Of 2 exchanges in the journal .* 1 are missing/),
  })
  expect((await recover(recording.file)).exchanges).toBe(1)
})
