/**
 * The one error class that Wiretape throws, and its codes.
 *
 * Engines never throw these at a peer: they answer with a command that fails. What a user calls (the
 * entry, the integrations, the command) throws them. `docs/errors.md` has one section for each code.
 *
 * Used by every room.
 */

/** Every code we can throw. `docs/errors.md` has one section for each; a test keeps the two in step. */
export const ERROR_CODES = [
  'WIRETAPE_CASSETTE_INVALID',
  'WIRETAPE_CASSETTE_VERSION',
  'WIRETAPE_CASSETTE_MISSING',
  'WIRETAPE_CASSETTE_LOCKED',
  'WIRETAPE_JOURNAL_INVALID',
  'WIRETAPE_SECRET',
  'WIRETAPE_NO_MATCH',
  'WIRETAPE_STALL',
  'WIRETAPE_UNFINISHED',
  'WIRETAPE_PROTOCOL',
  'WIRETAPE_UPSTREAM',
  'WIRETAPE_WRITE',
  'WIRETAPE_USAGE',
] as const

/** A stable name for one way things go wrong. Adding one is a minor change, renaming one is a major. */
export type ErrorCode = (typeof ERROR_CODES)[number]

const brand = Symbol.for('wiretape.error')

/** What an error carries besides its code and message. */
export interface WiretapeErrorInit {
  /** What the reader should do next, in the imperative. Printed after the message. */
  readonly hint?: string | undefined
  /** Facts for programs: JSON-safe, already redacted. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** What went wrong underneath. */
  readonly cause?: unknown
}

/** What a log has of an error. */
export interface WiretapeErrorJson {
  /** All three parts, for people. */
  readonly message: string
  /** The stable name of what went wrong. */
  readonly code: ErrorCode
  /** `WiretapeError`. */
  readonly name: string
  /** Empty where no line of the stack would tell anything. */
  readonly stack?: ''
}

/** The one class we throw. Branch on {@link WiretapeError.code}, never on the message. */
export class WiretapeError extends Error {
  /** Always `WiretapeError`. */
  override readonly name: string = 'WiretapeError'
  /** What kind of thing went wrong. */
  readonly code: ErrorCode
  /** What to do next. The message ends with it. */
  declare readonly hint: string | undefined
  /** Facts for programs: JSON-safe, redacted. */
  declare readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, init: WiretapeErrorInit = {}) {
    super(
      init.hint === undefined ? message : `${message}\n\n${init.hint}`,
      init.cause === undefined ? undefined : { cause: init.cause },
    )
    this.code = code
    // Not enumerable: what prints an error prints its message, and these would say the same again.
    Object.defineProperty(this, 'hint', { value: init.hint })
    Object.defineProperty(this, 'details', { value: init.details ?? {} })
    Object.defineProperty(this, brand, { value: true })
  }

  /**
   * What a log or the report of a test runner has of it: the message says all that {@link WiretapeError.hint} and
   * {@link WiretapeError.details} do. Vitest prints it where the error is inside another one, and adds the stack.
   */
  toJSON(): WiretapeErrorJson {
    const { message, code, name, stack } = this
    // A stack without a frame is the message once more.
    return stack?.includes('\n    at ') === false
      ? { message, code, name, stack: '' }
      : { message, code, name }
  }

  /** `instanceof` that still works when two copies of this package are installed. */
  static is(value: unknown): value is WiretapeError {
    return typeof value === 'object' && value !== null && brand in value
  }
}
