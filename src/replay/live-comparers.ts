/**
 * How each recorded connection is compared with the socket that plays it: as its exchange says, or the replay.
 *
 * Room: replay.
 */
import type { HeaderList } from '../wire/headers.ts'
import { byFunction, type Comparer, ofOneKind } from './live-difference.ts'
import type { LiveSource } from './live.ts'
import { headerRecord, type MatchRequest, type SafeMatch } from './matching.ts'

/** What a socket was opened with: redacted, plain. */
export type OpenedSocket = Omit<MatchRequest, 'body'>

/** The comparers of a replay. */
export interface Comparers {
  /** Compares values, whatever the match. */
  readonly exact: Comparer
  /** How a connection is to be matched. */
  matchOf(source: LiveSource): SafeMatch
  /** The comparer of a connection and the socket that it is held against. */
  of(source: LiveSource, operation: string, socket: OpenedSocket): Comparer
}

/** `match` holds where an exchange does not say its own. */
export function createComparers(exact: Comparer, match: SafeMatch): Comparers {
  const lenient = ofOneKind(exact)
  const matchOf = ({ exchange }: LiveSource): SafeMatch => exchange.match ?? match
  return {
    exact,
    matchOf,
    of(source, operation, socket) {
      const own = matchOf(source)
      switch (own) {
        case 'route':
          return lenient
        case 'body':
        case 'strict-order':
          return exact
      }
      return byFunction(exact, own, { recorded: recordedSocket(source, operation), received: socket })
    },
  }
}

/** What a recorded connection was opened with. */
export function recordedSocket({ exchange }: LiveSource, operation: string): OpenedSocket {
  const { method, url, headers } = exchange.request
  return openedSocket(operation, method, url, headers)
}

/** A request for a socket as plain data. */
export function openedSocket(
  operation: string,
  method: string,
  url: string,
  headers: HeaderList,
): OpenedSocket {
  return { operation, method, url, headers: headerRecord(headers) }
}
