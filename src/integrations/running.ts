/**
 * What stands behind a tape, in whichever mode: something that is asked, and that ends.
 *
 * Room: integrations.
 */
import type { Addresses } from '../cli/environment.ts'
import type { Failure } from '../replay/http.ts'
import type { Tape, TapeReport } from './tape.ts'

/** The ways for code in this process. */
export type Carriers = Pick<Tape, 'fetch' | 'WebSocket' | 'webSocketFactory' | 'dispatcher'>

/** A replay, a recording, or both. */
export interface Running extends Addresses {
  readonly carriers: Carriers
  readonly failures: readonly Failure[]
  report(): TapeReport
  readonly step: Tape['step']
  /** Ends it. Throws what stopped a recording; what a replay came to is for the caller to judge. */
  close(): Promise<TapeReport>
  /** Ends it and forgets it. */
  discard(): Promise<void>
}
