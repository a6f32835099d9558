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
import { cutResponse, endResponse } from './response.ts'

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

  function run(commands: readonly AnswerCommand[]): void {
    for (const command of commands) queue.push(command)
    if (!waiting) pump()
  }

  function pump(): void {
    for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
      if (response.destroyed) return
      switch (command.type) {
        case 'head':
          head(command)
          break
        case 'chunk':
          if (!response.write(command.bytes)) {
            waiting = true
            response.once('drain', resume)
            return
          }
          break
        case 'end':
          endResponse(response, command.trailers)
          break
        case 'destroy':
          wasCut = true
          cutResponse(response)
          break
      }
    }
  }

  function resume(): void {
    waiting = false
    pump()
  }

  function head({ status, reason, headers, length }: Extract<AnswerCommand, { type: 'head' }>): void {
    response.sendDate = false
    const framing =
      length === undefined || isBodiless(status) ? [] : [['content-length', String(length)] as const]
    const flat = [...headers, ...framing].flat()
    try {
      response.writeHead(status, reason ?? usualReason(status) ?? '', flat)
    } catch (error) {
      onBroken(error instanceof Error ? error.message : String(error))
      queue.length = 0
      wasCut = true
      response.destroy()
      return
    }
    // What follows at once goes out with it, in one packet.
    if (queue.length === 0) response.flushHeaders()
  }

  return { run, isOver: () => wasCut || response.writableFinished }
}

/** RFC 9110 §8.6: no content-length on these; and RFC 9112 §6.1, no transfer coding either. */
function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}
