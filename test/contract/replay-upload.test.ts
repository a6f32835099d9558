/** A resumable upload goes on where the replay is, not where the service was. */
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { expect, it } from 'vitest'
import { startReplaying, tape } from '../serve/replaying.ts'
import type { Sdk } from './transcripts.ts'

const ORIGIN = 'https://generativelanguage.googleapis.com'
const ADDRESS = '/upload/v1beta/files?upload_id=redacted-upload-id-1&upload_protocol=resumable'

/** `bytes` is what the second request uploads. */
function upload(bytes: string): string {
  return tape(
    `exchange: generate-content
match: route
request: { method: POST, url: '${ORIGIN}/upload/v1beta/files', headers: { x-goog-upload-command: start } }
response: { status: 200, headers: { x-goog-upload-url: 'https://upload.wiretape.invalid${ADDRESS}' } }
end: {}
`,
    `exchange: generate-content
request:
  method: POST
  url: '${ORIGIN}${ADDRESS}'
  headers: { x-goog-upload-command: 'upload, finalize' }
  body: '${bytes}'
response:
  status: 200
  headers: { content-type: application/json, x-goog-upload-status: final }
  body: { file: { name: files/abc, state: ACTIVE } }
end: {}
`,
  )
}

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
