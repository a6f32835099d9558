/**
 * What all carriers in this process share: the replay that they feed, and the bytes that they take from a
 * client and give it.
 *
 * Room: serve.
 */
import { usualReason } from '../wire/status.ts'
import type { HeaderList } from '../wire/headers.ts'
import { withoutOrigin } from '../wire/url.ts'
import type { AnswerCommand } from './replay-carrier.ts'
import { restBehind } from './relocation.ts'
import type { ReplaySession } from './replay-session.ts'

/** The part of a replay that a carrier in this process feeds. */
export interface InProcessReplay extends Pick<ReplaySession, 'requests' | 'sockets' | 'note' | 'redactUrl'> {
  /** Where the service is for the app besides its own hosts: base URLs, maybe with a path. */
  readonly upstreams?: readonly string[] | undefined
}

/**
 * The path and query of an absolute address. The path of a gateway that the app asks through is left out, as on the
 * recording.
 */
export function pathAt({ upstreams = [] }: InProcessReplay, address: string): string {
  const asHttp = address.replace(/^ws/i, 'http')
  const rests = upstreams.flatMap(base => restBehind(asHttp, base) ?? [])
  return rests[0] ?? withoutOrigin(address)
}

/** The head of a recorded answer. */
export type Head = Extract<AnswerCommand, { readonly type: 'head' }>

/** True for an answer that has no body whatever comes (RFC 9110 §6.4.1). */
export function isBodiless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304
}

/** The fields of a head as a client sees them: nothing is added but how long a body of known length is. */
export function fieldsOf({ status, headers, length }: Head): HeaderList {
  if (length === undefined || status === 204 || status === 304) return headers
  return [...headers, ['content-length', String(length)]]
}

/** The reason phrase of a head. */
export function phraseOf({ status, reason }: Head): string {
  return reason ?? usualReason(status) ?? ''
}

/** What a connection that was cut looks like to a client that reads from it: as undici says it. */
export function cutError(): Error {
  return named('SocketError', 'UND_ERR_SOCKET', 'other side closed')
}

/** An error with the name and code that a client of HTTP goes by. */
export function named(name: string, code: string, message: string): Error {
  return Object.assign(new Error(message), { name, code })
}

/** A remark for the report, about a recorded head that can't be given to a client. */
export function brokenHead(replay: InProcessReplay, asked: string, cause: unknown): void {
  const why = cause instanceof Error ? cause.message : String(cause)
  replay.note(`the recorded head of ${asked} can't be sent: ${why}`)
}

/** Method and path, for a remark: without secrets and without the query. */
export function askedOf(replay: InProcessReplay, method: string, url: string): string {
  return `${method} ${replay.redactUrl(url).split('?', 1)[0] ?? ''}`
}
