/**
 * What a carrier without a socket has instead of one's delays: something happens later, never inside the
 * call that caused it.
 *
 * No timer is used for it that a test may have put its own in the place of and hold still, and no
 * `queueMicrotask`, which fake timers may hold, too.
 *
 * Room: serve.
 */
import { setImmediate } from 'node:timers'
import { MessageChannel } from 'node:worker_threads'

/** Does one thing after another, none of them before the call that asked for it has returned. */
export type Lane = (task: () => void | Promise<void>) => void

/**
 * A lane on which nothing waits. Each task has a microtask of its own; what one throws is an uncaught
 * exception, as it is where an event of a real socket throws, and the next goes on.
 */
export function createLane(): Lane {
  let last = Promise.resolve()
  return task => {
    last = last.then(task).catch((cause: unknown) => {
      setImmediate(() => {
        throw cause
      })
    })
  }
}

const waiting: (() => void)[] = []
let knock: (() => void) | undefined

/** Resolves in a later turn of the event loop, so that whoever has something to do has done it. */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    knock ??= createKnock()
    knock()
  })
}

/** Lets the first that waits go on, in a turn of its own. Keeps the process alive only while one waits. */
function createKnock(): () => void {
  const { port1, port2 } = new MessageChannel()
  port1.on('message', () => {
    waiting.shift()?.()
    if (waiting.length === 0) port1.unref()
  })
  return () => {
    port1.ref()
    port2.postMessage(undefined)
  }
}
