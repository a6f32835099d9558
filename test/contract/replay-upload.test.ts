/** A resumable upload goes on where the replay is, not where the service was. */
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { expect, it } from 'vitest'
import { startReplaying } from '../serve/replaying.ts'
import type { Sdk } from './transcripts.ts'
import { upload } from './upload-cassette.ts'

it.each([
  ['3', newest as Sdk],
  ['2', older as unknown as Sdk],
])('lets @google/genai %s upload a file, and sees when it is another', async (_, sdk) => {
  const send = async (baseUrl: string): Promise<unknown> =>
    new sdk.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } }).files.upload({
      file: new Blob(['{"not": "a request"}'], { type: 'application/json' }),
    })

  await using same = await startReplaying(upload('{"not": "a request"}'))
  expect(await send(same.server.url)).toMatchObject({ name: 'files/abc' })
  expect(await same.server.close()).toMatchObject({ requests: 2, failures: [], leftovers: [] })

  await using other = await startReplaying(upload('{"not":"a request"}'))
  await expect(send(other.server.url)).rejects.toThrow('differs:  character 7')
})
