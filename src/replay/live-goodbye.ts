/**
 * How a socket ended, compared with the recording.
 *
 * SDKs say goodbye in different ways (JS without a code, Python with 1000), and a process that ends says
 * nothing; a recording of one must replay into the other. A code that complains is compared exactly.
 *
 * Room: replay.
 */
import type { CloseStep } from './live-script.ts'

/** A close as one side saw it. `code` is undefined for one without a code (1005). */
export interface Goodbye {
  readonly code: number | undefined
  readonly reason: string | undefined
}

/** RFC 6455 §7.4.1: done, going away, no code, no close at all. None of them finds fault with the other side. */
const HARMLESS: ReadonlySet<number> = new Set([1000, 1001, 1005, 1006])

/** True where neither or both complained, and in the same words' code. */
export function sameGoodbye(recorded: Goodbye, received: Goodbye): boolean {
  const [left, right] = [recorded.code ?? 1005, received.code ?? 1005]
  return left === right || (HARMLESS.has(left) && HARMLESS.has(right))
}

/** A close, for messages. */
export function goodbyeText({ code, reason }: Goodbye): string {
  const words = reason === undefined || reason === '' ? '' : ` ${JSON.stringify(reason)}`
  if (code === undefined || code === 1005) return 'closed without a code'
  return code === 1006 ? 'gone without a close' : `closed with ${code}${words}`
}

/** A recorded close as one. */
export function toGoodbye({ close }: CloseStep): Goodbye {
  return { code: close.code, reason: close.reason }
}
