/**
 * What a command line can ask for, as data.
 *
 * Room: cli.
 */
import type { AllowedKind } from '../replay/allowed.ts'
import type { MatchKind } from '../cassette/model.ts'
import type { Pace } from '../replay/http.ts'
import type { RecordTlsOptions, TlsOptions } from '../serve/port-tls.ts'

/** Where `--json` lines go: to one of the program's own streams, or to a file. */
export type JsonTarget = { readonly type: 'stream' } | { readonly type: 'file'; readonly path: string }

/** The user's own command, which runs while the server is up: its name and its arguments. */
export type UserCommand = readonly [name: string, ...rest: string[]]

/** `wiretape record`. */
export interface RecordInvocation {
  readonly type: 'record'
  readonly file: string
  readonly upstream: string | undefined
  readonly vertexUpstream: string | undefined
  readonly port: number
  /** What happens to a FILE that exists already. */
  readonly existing: 'refuse' | 'overwrite'
  /** Undefined without `--tls`. */
  readonly tls: RecordTlsOptions | undefined
  readonly json: JsonTarget | undefined
  readonly command: UserCommand | undefined
}

/** `wiretape replay`. */
export interface ReplayInvocation {
  readonly type: 'replay'
  readonly files: readonly string[]
  readonly port: number
  readonly pace: Pace
  /** How requests and messages are compared, where an exchange does not say. */
  readonly match: MatchKind
  /** Places that do not count, as JSON pointers. */
  readonly ignore: readonly string[]
  /** What fails nothing. */
  readonly allow: readonly AllowedKind[]
  /** How long a socket waits for what its client sent on the recording, in milliseconds; undefined: the default. */
  readonly stallMs: number | undefined
  /** How long a socket waits for sound and pictures alone, in milliseconds; undefined: the default. */
  readonly quietMs: number | undefined
  /** Undefined without `--tls`. */
  readonly tls: TlsOptions | undefined
  readonly json: JsonTarget | undefined
  readonly command: UserCommand | undefined
}

/** `wiretape show`. */
export interface ShowInvocation {
  readonly type: 'show'
  readonly file: string
  readonly detail: 'short' | 'full'
  readonly json: JsonTarget | undefined
}

/** `wiretape lint`. */
export interface LintInvocation {
  readonly type: 'lint'
  /** Cassettes, and folders with cassettes in them. */
  readonly paths: readonly string[]
  readonly json: JsonTarget | undefined
}

/** `wiretape pack` and `wiretape unpack`. */
export interface PackInvocation {
  readonly type: 'pack' | 'unpack'
  readonly file: string
  /** Undefined: the same name with or without `.packed`. */
  readonly output: string | undefined
  /** What happens to an output that exists already. */
  readonly existing: 'refuse' | 'overwrite'
}

/** `wiretape tls`. */
export interface TlsInvocation {
  readonly type: 'tls'
  /** Where the server is to listen that the lines are for. */
  readonly port: number
  /** Undefined: where the authority is kept by default. */
  readonly caDir: string | undefined
}

/** What a command line asks for. */
export type Invocation =
  | RecordInvocation
  | ReplayInvocation
  | ShowInvocation
  | LintInvocation
  | PackInvocation
  | TlsInvocation
  | { readonly type: 'recover'; readonly file: string }
  | { readonly type: 'demo' }
  /** Help or the version. */
  | { readonly type: 'print'; readonly text: string }
