/**
 * Replays cassettes to anything that speaks HTTP, on loopback. It opens no connection of its own.
 *
 * Room: serve.
 */
import type { MatchKind } from '../cassette/model.ts'
import { secretRules } from '../dialect/secrets.ts'
import { createRedactor } from '../redact/redactor.ts'
import { createHttpReplay } from '../replay/http-replay.ts'
import type { Failure, Pace, PlayedExchange } from '../replay/http.ts'
import type { ReplayReport } from '../replay/report.ts'
import { loadCassette } from '../store/load.ts'
import { type ReplayListener, listenForReplay } from './replay-listener.ts'
import { createReplayCarrier } from './replay-carrier.ts'

/** What is replayed, and where. */
export interface ReplayServerOptions {
  /** Cassettes, as if they were one, in this order. */
  readonly files: readonly string[]
  /** Port for the Gemini side; 0, the default, takes any. */
  readonly port?: number | undefined
}
