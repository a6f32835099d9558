/**
 * How a server of ours says no: an error that every SDK shows and none retries.
 *
 * HTTP 400 with `application/json`: clients take 404 for "gone" and retry 408, 409, 429 and 5xx.
 *
 * Room: serve.
 */
import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../errors.ts'

/** The body of a refusal: a `google.rpc.Status` whose `ErrorInfo` has our code as its reason. */
export function refusalBody(code: ErrorCode, message: string): string {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'wiretape' }]
  return `${JSON.stringify({ error: { code: 400, message, status: 'FAILED_PRECONDITION', details } }, null, 2)}\n`
}

/** Answers a request with a refusal. Where the answer has begun already, its connection is cut instead. */
export function refuse(response: ServerResponse, code: ErrorCode, message: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = refusalBody(code, message)
  response.writeHead(400, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
