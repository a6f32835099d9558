/**
 * The body of an answer as a stream of bytes in this process: each recorded chunk is one read, and a
 * recorded cut the error that the platform's own `fetch` gives where a connection ends too soon.
 *
 * Room: serve.
 */
import { ReadableStream, type ReadableByteStreamController } from 'node:stream/web'
import { cutError } from './in-process.ts'
import type { AnswerCommand } from './replay-carrier.ts'

/** What follows a head. */
export type BodyCommand = Exclude<AnswerCommand, { readonly type: 'head' }>

/** A body that is being filled. */
export interface InProcessBody {
  readonly stream: ReadableStream<Uint8Array>
  push(command: BodyCommand): void
  /** Whoever reads it gets this error, and nothing of what was not read yet. */
  fail(reason: unknown): void
}

/** Who is told what the client does. */
export interface BodyOptions {
  /** So many bytes were taken. */
  readonly onRead: (bytes: number) => void
  /** There is nothing more to read: it was read to its end, or the client wants no more. */
  readonly onOver: (how: 'read' | 'cancelled') => void
}

/** A body of which nothing has come yet. */
export function createBody({ onRead, onOver }: BodyOptions): InProcessBody {
  const queue: BodyCommand[] = []
  let arrived: (() => void) | undefined
  let sink: ReadableByteStreamController | undefined

  async function next(): Promise<BodyCommand> {
    for (;;) {
      const command = queue.shift()
      if (command !== undefined) return command
      await new Promise<void>(resolve => (arrived = resolve))
    }
  }

  async function pull(controller: ReadableByteStreamController): Promise<void> {
    for (;;) {
      const command = await next()
      switch (command.type) {
        case 'chunk':
          onRead(command.bytes.length)
          if (command.bytes.length === 0) break
          // A reader may take the buffer away, and what is recorded is played again.
          controller.enqueue(command.bytes.slice())
          return
        case 'end':
          onOver('read')
          controller.close()
          controller.byobRequest?.respond(0)
          return
        case 'destroy':
          onOver('read')
          controller.error(new TypeError('terminated', { cause: cutError() }))
          return
      }
    }
  }

  const stream: ReadableStream<Uint8Array> = new ReadableStream(
    {
      type: 'bytes',
      start: controller => {
        sink = controller
      },
      pull,
      cancel: () => onOver('cancelled'),
    },
    { highWaterMark: 0 },
  )

  return {
    stream,
    push(command) {
      queue.push(command)
      arrived?.()
    },
    fail: reason => sink?.error(reason),
  }
}
