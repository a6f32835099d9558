/**
 * One run: a runtime in one version has played one cassette. All that an invariant may look at.
 *
 * The scenario is what the app was told to do, the transcript what it saw and what is stored, the wire what the
 * service had to say, and the rest is what the replay knows: what the runtime sent, and what went wrong. Data
 * only; the rig makes it, `judge.ts` judges it.
 */
import type { JsonObject, JsonValue } from '../../../src/wire/json.ts'
import type { WireExchange } from './wire.ts'

/** What the program of a runtime is told to do: derived from a cassette, the same for every runtime. */
export interface Scenario {
  /** Of the cassette, e.g. `run-live-interrupted`. */
  readonly name: string
  readonly api: 'generate-content' | 'interactions' | 'live'
  readonly backend: 'gemini' | 'vertex'
  /** Over HTTP: server-sent events are asked for. Live: true. */
  readonly streaming: boolean
  /** E.g. `gemini-2.5-flash`, without `models/`. */
  readonly model: string
  /** `delegating`: a coordinator with a specialist. `managed`: an agent that the service runs. Else `single`. */
  readonly agent: 'single' | 'delegating' | 'managed'
  /** For `managed`. */
  readonly agentId?: string
  /** The system instruction. */
  readonly instruction?: string
  readonly tools: readonly ScenarioTool[]
  /** The user turns of the one conversation; Live: of each connection that the app opens, in the same session. */
  readonly conversations: readonly (readonly Turn[])[]
  /** Live: sound is asked for, with transcriptions of both sides. */
  readonly audio: boolean
  /** Live: the app asks for session resumption. */
  readonly resumption: boolean
  /** Live, google-adk: `RunConfig.save_live_blob`. */
  readonly saveLiveBlob?: boolean
  /** The model of each turn, where they differ. */
  readonly models?: readonly string[]
  /** Function calls were asked for in pieces. */
  readonly streamArguments: boolean
  /** Summaries of thoughts were asked for. */
  readonly thinkingSummaries: boolean
}

/** A tool of the app. Its nth run gives the nth result, then the last. */
export interface ScenarioTool {
  readonly name: string
  readonly description: string
  /** JSON schema. */
  readonly parameters: object
  readonly results: readonly object[]
}

/** What the user says, and by which message of Live. */
export interface Turn {
  readonly parts: readonly Part[]
  readonly how: 'content' | 'realtime-text' | 'audio'
}

/** What the program prints: what the app saw, and what the runtime stored. */
export interface Transcript {
  /** Packages and the versions that were there, e.g. `{ "google-adk": "2.13.0", "google-genai": "3.6.1" }`. */
  readonly runtime: Readonly<Record<string, string>>
  /** One for each user turn; Live: for each connection of the app. */
  readonly turns: readonly TurnSeen[]
  /** What the runtime stored, at the end; null: it stores nothing. */
  readonly session: readonly Event[] | null
  /** Each run of a tool, in order. */
  readonly toolRuns: readonly ToolRun[]
  readonly notes?: readonly string[]
}

/** What the app got to see of a turn, in order, and how it ended. */
export interface TurnSeen {
  readonly events: readonly Event[]
  readonly error: TurnError | null
}

/** What a turn raised. */
export interface TurnError {
  readonly type: string
  readonly message: string
  readonly code?: string | number
}

/** A run of a tool of the app. */
export interface ToolRun {
  readonly name: string
  readonly args: object
  readonly id?: string
}

/** What an app sees or a session holds, in one shape for every runtime. What is not so is absent. */
export interface Event {
  /** `user`, `model`, or the agent's name. */
  readonly author: string
  readonly partial?: true
  readonly interrupted?: true
  readonly turnComplete?: true
  /** As the API spells it, e.g. `STOP`. */
  readonly finishReason?: string
  readonly errorCode?: string
  readonly errorMessage?: string
  readonly parts: readonly Part[]
  readonly inputTranscription?: Transcription
  readonly outputTranscription?: Transcription
  /** `usageMetadata` as the API spells it. */
  readonly usage?: object
  readonly interactionId?: string
}

/** What was said, in words. */
export interface Transcription {
  readonly text?: string
  readonly finished?: boolean
}

/** A part as the API spells it. */
export interface Part {
  readonly text?: string
  readonly thought?: boolean
  readonly functionCall?: CallPart
  readonly functionResponse?: ResponsePart
  /** `bytes` is their number. The data itself is not told, but a scenario's sound has it. */
  readonly inlineData?: { readonly mimeType: string; readonly bytes?: number; readonly data?: string }
  readonly executableCode?: object
  readonly codeExecutionResult?: object
  /** Standard base64. */
  readonly thoughtSignature?: string
}

/** A function call. */
export interface CallPart {
  readonly id?: string
  readonly name?: string
  readonly args?: object
  readonly willContinue?: boolean
  readonly partialArgs?: readonly object[]
}

/** What a function gave. */
export interface ResponsePart {
  readonly id?: string
  readonly name?: string
  readonly response?: object
}

/** What the runtime sent, as the replay's JSON lines tell it. */
export interface Received {
  /** The exchange of the cassette that it was matched to, from 1; absent: it was refused. */
  readonly exchange?: number
  /** E.g. `POST models/m:generateContent`. */
  readonly operation: string
  /** Over HTTP, where it is JSON. */
  readonly body?: JsonValue
  /** Live: one message of the client. */
  readonly message?: JsonValue
  /** Live: which socket of the replay it came by. */
  readonly socket?: number
}

/** A client that left the recording, as the replay's last JSON line tells it. */
export interface ReplayFailure {
  readonly code: string
  readonly message: string
  readonly details?: JsonObject
}

/** Something recorded that was not used up. */
export interface ReplayLeftover {
  /** The exchange, from 1. */
  readonly number: number
  readonly kind: string
  readonly message: string
}

/** One runtime in one version × one cassette. */
export interface Run {
  readonly scenario: Scenario
  readonly transcript: Transcript
  /** What the service says on the cassette, by exchange: `wireOf(await loadCassette(file))`. */
  readonly wire: readonly WireExchange[]
  /** The `received` lines, in order. */
  readonly received: readonly Received[]
  /** Of the replay's last line. */
  readonly failures: readonly ReplayFailure[]
  readonly leftovers: readonly ReplayLeftover[]
  readonly notes: readonly string[]
}

/** A sentence that shows both sides: what was on the wire, and what became of it. */
export type Finding = string

/** One invariant. */
export interface Invariant {
  /** As in the catalogue, e.g. `I10`. */
  readonly number: string
  /** For users: what holds of a runtime that does it right. */
  readonly says: string
  /** Undefined: it does not apply to this run. Empty: it holds. */
  judge(run: Run): readonly Finding[] | undefined
}
