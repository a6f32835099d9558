/**
 * A plain upstream that serves given answers, cut where the test says, and writes the next piece only when
 * the client has the last one: so every edge it makes can be seen at the other end.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listenOnLoopback } from './loopback.ts'

/** An answer, in pieces. */
export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly pieces: readonly Uint8Array[]
}

/** A running upstream. */
export interface LockstepUpstream {
  readonly url: string
  /** What the next request will be answered with. */
  answerWith(answer: Answer): void
  /** The client has this much of the body now. */
  delivered(total: number): void
  close(): Promise<void>
}

/** Starts one on a free port of the loopback. */
export async function startLockstepUpstream(): Promise<LockstepUpstream> {
  let next: Answer | undefined
  let waiting: { readonly until: number; readonly resume: () => void } | undefined

  function clientHas(until: number, response: ServerResponse): Promise<void> {
    return new Promise(resume => {
      waiting = { until, resume }
      response.once('close', resume)
    })
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    const answer = next
    if (answer === undefined) throw new Error('the upstream was asked for an answer it was not given')
    response.sendDate = false
    response.writeHead(answer.status, answer.headers.flat())
    let sent = 0
    for (const piece of answer.pieces) {
      response.write(piece)
      sent += piece.length
      await clientHas(sent, response)
    }
    response.end()
  }

  const server = createServer((request, response) => void serve(request, response))
  const url = await listenOnLoopback(server)
  return {
    url,
    answerWith(answer) {
      next = answer
    },
    delivered(total) {
      if (waiting !== undefined && total >= waiting.until) waiting.resume()
    },
    close: () => closeServer(server),
  }
}
