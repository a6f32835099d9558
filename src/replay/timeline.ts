/**
 * What is done to play a recorded answer, step by step, and how long each step waits after the one before.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import { isUploadAddress, toServedUploadUrl } from '../dialect/upload.ts'
import { endToEndHeaders, type HeaderList } from '../wire/headers.ts'
import type { Pace } from './http.ts'
import { pacedGap } from './pace.ts'
import type { Recorded } from './recorded.ts'

/** One step of an answer. `wait`: milliseconds after the moment at which the step before was done. */
export type Step = { readonly wait: number } & (
  | {
      readonly type: 'head'
      readonly status: number
      readonly reason: string | undefined
      readonly headers: HeaderList
      readonly length: number | undefined
    }
  /** `ended`: who leaves after it has read all that there is to read. */
  | { readonly type: 'chunk'; readonly bytes: Uint8Array; readonly ended: boolean }
  | { readonly type: 'end'; readonly trailers: HeaderList }
  | { readonly type: 'destroy' }
)

/**
 * How long a chunk marked `hold` is kept back, and a cut after the last chunk: milliseconds, at every pace.
 *
 * A client that leaves meanwhile is seen to. A cut that comes with the last bytes makes some clients throw
 * those bytes away (an errored web stream drops what is queued), so that what an app sees would be chance.
 */
const HOLD = 50

/**
 * How long a client has to leave where it left on the recording, before it is cut off: milliseconds.
 *
 * It left by itself, perhaps after a timeout of its own; cutting it off at once would be another ending.
 */
const LEAVE = 1000

/** Fields that say how a body is framed or encoded, or where else it could be had: never replayed. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'alt-svc'])

/**
 * The steps of an answer.
 *
 * @param origin - Where the client reached us; recorded upload addresses are given it.
 */
export function timeline(recorded: Recorded, origin: string, pace: Pace): readonly Step[] {
  const { response, end } = recorded.exchange
  const gap = (from: Instant | undefined, to: Instant | undefined): number =>
    from === undefined || to === undefined ? 0 : pacedGap(pace, to - from)
  if (response === undefined) {
    return [{ type: 'destroy', wait: gap(0, end.at) + (end.how === 'client-abort' ? LEAVE : 0) }]
  }

  const chunks = recorded.chunks()
  const { method } = recorded.exchange.request
  const empty = chunks.length === 0 && end.how === undefined && response.trailers.length === 0
  let last = response.at ?? 0
  const sent = chunks.map(({ at, bytes, hold, ended }): Step => {
    const wait = Math.max(gap(last, at), hold ? HOLD : 0)
    last = at
    return { type: 'chunk', bytes, ended, wait }
  })
  const head: Step = {
    type: 'head',
    status: response.status,
    reason: response.reason,
    headers: servedHeaders(response.headers, origin),
    length: empty && method !== 'HEAD' ? 0 : undefined,
    wait: gap(0, response.at),
  }
  return [head, ...sent, lastStep(recorded, gap(last, end.at))]
}

function lastStep({ exchange }: Recorded, wait: number): Step {
  switch (exchange.end.how) {
    case undefined:
      return { type: 'end', trailers: exchange.response?.trailers ?? [], wait }
    case 'client-abort':
      return { type: 'destroy', wait: wait + LEAVE }
    case 'upstream-reset':
    case 'upstream-error':
    case 'truncated':
      return { type: 'destroy', wait: Math.max(wait, HOLD) }
  }
}

function servedHeaders(headers: HeaderList, origin: string): HeaderList {
  return playableHeaders(headers).map(([name, value]) => [
    name,
    isUploadAddress(name.toLowerCase()) ? toServedUploadUrl(value, origin) : value,
  ])
}

/** The recorded fields that are replayed: none that frames a body or belongs to one connection. */
export function playableHeaders(headers: HeaderList): HeaderList {
  return endToEndHeaders(headers).filter(([name]) => !FRAMING.has(name.toLowerCase()))
}
