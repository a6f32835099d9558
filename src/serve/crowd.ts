/**
 * What a carrier has open, by number, and when nothing is open any more.
 *
 * Room: serve.
 */
// Not the global ones: a replay must be able to close while a test's fake timers stand still.
import { clearTimeout, setTimeout } from 'node:timers'

/** Open answers, or sockets. */
export interface Crowd<T> {
  /** The number of a new one. */
  add(member: (id: number) => T): number
  get(id: number): T | undefined
  /** False if it was not there any more. */
  remove(id: number): boolean
  all(): readonly T[]
  /** Resolves when nothing is open, or after so many milliseconds. */
  idle(graceMs: number): Promise<void>
}

/** A crowd of none. */
export function createCrowd<T>(): Crowd<T> {
  const members = new Map<number, T>()
  const whenIdle: (() => void)[] = []
  let lastId = 0
  return {
    add(member) {
      lastId += 1
      const id = lastId
      members.set(id, member(id))
      return id
    },
    get: id => members.get(id),
    remove(id) {
      const was = members.delete(id)
      if (members.size === 0) whenIdle.splice(0).forEach(resolve => resolve())
      return was
    },
    all: () => [...members.values()],
    async idle(graceMs) {
      if (members.size === 0) return
      let grace: NodeJS.Timeout | undefined
      await new Promise<void>(resolve => {
        whenIdle.push(resolve)
        grace = setTimeout(resolve, graceMs)
      })
      clearTimeout(grace)
    },
  }
}
