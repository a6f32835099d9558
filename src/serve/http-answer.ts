/**
 * An answer of the replay engine as a response of `node:http`.
 *
 * Nothing is added that was not recorded, no date, but for what frames the body and what is the
 * connection's own. Each chunk is one write and one chunk of the transfer coding, so that its edges survive.
 *
 * Room: serve.
 */
import type { ServerResponse } from 'node:http'
import { usualReason } from '../wire/status.ts'
import type { Answer, AnswerCommand } from './replay-carrier.ts'
import { beginResponse, cutResponse, type ResponseBody } from './response.ts'

type Head = Extract<AnswerCommand, { readonly type: 'head' }>

/** How much is gathered into one write, in bytes: what comes at once is sent at once. */
const GATHERED = 65_536

/** An answer that knows when all of it has gone out. */
export interface HttpAnswer extends Answer {
  /** True when the whole answer was handed over, or was cut by us: a connection that closes before was left. */
  isOver(): boolean
}

/**
 * Answers on this response.
 *
 * @param onBroken - Called where a recorded head can't be sent by HTTP; the connection is cut then.
 */
export function createHttpAnswer(response: ServerResponse, onBroken: (why: string) => void): HttpAnswer {
  const queue: AnswerCommand[] = []
  let waiting = false
  let wasCut = false
  let body: ResponseBody | undefined

  function run(commands: readonly AnswerCommand[]): void {
    for (const command of commands) queue.push(command)
    if (!waiting) pump()
  }

  function pump(): void {
    for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
      if (response.destroyed) return
      switch (command.type) {
        case 'head': {
          const begun = begin(response, command)
          if (typeof begun === 'string') {
            breakOff(begun)
            return
          }
          body = begun
          // What follows at once goes out with it, in one packet.
          if (queue.length === 0) response.flushHeaders()
          break
        }
        case 'chunk':
          if (body?.write(gathered(command.bytes)) === false) {
            waiting = true
            response.once('drain', resume)
            return
          }
          break
        case 'end':
          body?.end(command.trailers)
          break
        case 'destroy':
          wasCut = true
          cutResponse(response)
          break
      }
    }
  }

  /** This chunk, and those that are to follow it now. */
  function gathered(first: Uint8Array): readonly Uint8Array[] {
    const chunks = [first]
    let total = first.length
    for (let next = queue[0]; next?.type === 'chunk' && total < GATHERED; next = queue[0]) {
      queue.shift()
      chunks.push(next.bytes)
      total += next.bytes.length
    }
    return chunks
  }

  function resume(): void {
    waiting = false
    pump()
  }

  function breakOff(why: string): void {
    onBroken(why)
    queue.length = 0
    wasCut = true
    response.destroy()
  }

  return { run, isOver: () => wasCut || response.writableFinished }
}

/** Gives the response its head; says why where HTTP can't carry it. */
function begin(response: ServerResponse, { status, reason, headers, length }: Head): ResponseBody | string {
  const framing =
    length === undefined || isBodiless(status) ? [] : [['content-length', String(length)] as const]
  try {
    return beginResponse(response, status, reason ?? usualReason(status) ?? '', [...headers, ...framing])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** RFC 9110 §8.6: no content-length on these; and RFC 9112 §6.1, no transfer coding either. */
function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}
