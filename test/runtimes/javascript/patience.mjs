/**
 * Waiting, but not for ever: for what a runtime hands out, with an end where nothing comes.
 *
 * A runtime may also fail where nobody waits for it, in a promise of its own that it lets go of. That is raised here,
 * from whatever is being waited for. Runs in a page as well as in Node.
 */

/** A turn over HTTP in which nothing comes for so many ms is given up. A replay speaks up before. */
export const HTTP_SILENCE_MS = 20_000
/** The same on a Live connection. */
export const LIVE_SILENCE_MS = 10_000

/** Nothing came. */
export class Silence extends Error {
  constructor() {
    super('the turn never ended')
  }
}

const waiting = new Set()
let strays = []

/** Raises, from what is being waited for, or else from what is next, an error that nobody caught. */
export function raiseStray(error) {
  if (waiting.size === 0) strays.push(error)
  for (const refuse of waiting) refuse(error)
}

/** What the promise comes to; a `Silence` is raised where that takes more than so many ms. */
export function within(ms, promise) {
  const [stray, ...later] = strays
  if (stray !== undefined) {
    strays = later
    return Promise.race([Promise.reject(stray), promise])
  }
  let timer
  let refuse
  const other = new Promise((_, reject) => {
    refuse = reject
    waiting.add(reject)
    timer = setTimeout(() => reject(new Silence()), ms)
  })
  return Promise.race([promise, other]).finally(() => {
    clearTimeout(timer)
    waiting.delete(refuse)
  })
}

/** Takes what comes one by one. A wait that was given up is taken up again by the next. */
export function listenTo(iterable) {
  const iterator = iterable[Symbol.asyncIterator]()
  let pending
  return {
    async next(ms) {
      pending ??= iterator.next()
      const next = await within(ms, pending)
      pending = undefined
      return next
    },
  }
}

/** The same items, each of which has to come in time. */
export async function* patiently(ms, iterable) {
  const listener = listenTo(iterable)
  for (let next = await listener.next(ms); next.done !== true; next = await listener.next(ms))
    yield next.value
}

/** Items from callbacks, as something to wait for. */
export function createQueue() {
  const items = []
  let wake
  const push = item => {
    items.push(item)
    wake?.()
  }
  const iterate = async function* () {
    for (;;) {
      if (items.length === 0) await new Promise(resolve => (wake = resolve))
      while (items.length > 0) {
        const item = items.shift()
        if (item.end) return
        yield item.value
      }
    }
  }
  return { push: value => push({ value }), end: () => push({ end: true }), [Symbol.asyncIterator]: iterate }
}
