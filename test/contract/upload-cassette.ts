/** A resumable upload on a recording: the address that it goes on at, and the bytes. */
import { tape } from '../serve/replaying.ts'

const ORIGIN = 'https://generativelanguage.googleapis.com'
const ADDRESS = '/upload/v1beta/files?upload_id=redacted-upload-id-1&upload_protocol=resumable'

/** `bytes` is what the second request uploads. */
export function upload(bytes: string): string {
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
