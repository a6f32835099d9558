/**
 * How a server of ours says no: an error that every SDK shows and none retries.
 *
 * Room: serve.
 */
import type { ServerResponse } from 'node:http'
import { refusal } from '../dialect/refusal.ts'
import type { ErrorCode } from '../errors.ts'
import { readableByPage } from './own-pages.ts'

/** Answers a request with a refusal. Where the answer has begun already, its connection is cut instead. */
export function refuse(response: ServerResponse, code: ErrorCode, message: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, headers, body } = refusal({ reason: code, message })
  response.writeHead(
    status,
    [...readableByPage(response.req, headers), ['content-length', String(body.length)]].flat(),
  )
  response.end(body)
}
