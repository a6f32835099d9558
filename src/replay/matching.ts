/**
 * What makes a request the recorded one, as a user says it: a kind of comparison or a function, and what to ignore.
 *
 * Room: replay.
 */
import { type MatchKind, MATCH_KINDS } from '../cassette/model.ts'
import { didYouMean, oneOf } from '../cassette/suggest.ts'
import { WiretapeError } from '../errors.ts'
import type { HeaderList } from '../wire/headers.ts'
import { isJsonList, isJsonObject, type JsonValue } from '../wire/json.ts'
import { type Pointer, readPointer } from '../wire/pointer.ts'
import type { AllowedKind } from './allowed.ts'
import { checkList } from './option-list.ts'

/** A request as a {@link Matcher} sees it: plain data, redacted, in the form in which bodies are compared. */
export interface MatchRequest {
  /** What it asks for, e.g. `POST models/m:generateContent`: equal on both sides. */
  readonly operation: string
  /** E.g. `POST`; `GET` for a socket. */
  readonly method: string
  /** The address, absolute on the recording, and as the client sent it otherwise. */
  readonly url: string
  /** Names in lower case, values that came more than once joined by a comma. A cassette does not keep all of them. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The body: a JSON value (key case folded, volatile and ignored places gone), a string for other text or, in
   * base64, for bytes, undefined for none. On a socket one message.
   */
  readonly body: JsonValue | undefined
}

/** Tells whether what came is what was recorded. It is asked only for requests with the same operation. */
export type Matcher = (recorded: MatchRequest, received: MatchRequest) => boolean

/** How requests are compared, where an exchange does not say. */
export type Match = MatchKind | Matcher

/** What a replay is told of matching; the same for requests and sockets. */
export interface MatchingOptions {
  /** How requests and messages are compared, where an exchange does not say; `body` unless set. */
  readonly match?: Match | undefined
  /** What of JSON bodies and client messages does not count: JSON pointers, `*` for any key or index. */
  readonly ignore?: readonly string[] | undefined
  /** Leftovers that fail nothing, and `extra-request` for what the recording has no answer for. They are notes then. */
  readonly allow?: readonly AllowedKind[] | undefined
  /**
   * What becomes of a request or a socket without a match: `refuse` unless set. `pass` gives a `pass` command
   * instead, and no failure: whoever carries it answers it some other way.
   */
  readonly onMiss?: 'refuse' | 'pass' | undefined
}

/** A user's function that can't do harm: once it has thrown, nothing matches until that is told. */
export interface GuardedMatcher {
  readonly type: 'function'
  matches(recorded: MatchRequest, received: MatchRequest): boolean
  /** What went wrong since this was asked last; undefined where nothing did. */
  trouble(): string | undefined
}

/** How much is shown of what a user's function threw, in characters. */
const TROUBLE_SHOWN = 200

/** A {@link Match} that is safe to use. */
export type SafeMatch = MatchKind | GuardedMatcher

/**
 * Makes a function of the user's safe. What it throws, or returns instead of true or false, is trouble.
 *
 * @throws `WIRETAPE_USAGE` for what is neither a function nor a kind of comparison.
 */
export function guarded(match: Match = 'body'): SafeMatch {
  if (typeof match === 'function') return guardedMatcher(match)
  if (MATCH_KINDS.includes(match)) return match
  const word: string = match ?? 'null'
  throw new WiretapeError('WIRETAPE_USAGE', `The option \`match\` is ${JSON.stringify(word)}.`, {
    hint: [`It is ${oneOf(MATCH_KINDS)}, or a function.`, didYouMean(word, MATCH_KINDS) ?? '']
      .join(' ')
      .trim(),
    details: { option: 'match', value: word, allowed: MATCH_KINDS },
  })
}

/**
 * What went wrong in the user's function since this was asked last; undefined where nothing did. One short line.
 *
 * @param redact - Takes secrets out of what it threw.
 */
export function troubleOf(match: SafeMatch, redact: (text: string) => string): string | undefined {
  const trouble = typeof match === 'string' ? undefined : match.trouble()
  return trouble === undefined ? undefined : redact(trouble).replaceAll(/\s+/g, ' ').slice(0, TROUBLE_SHOWN)
}

/** A copy of its own, for a function may take out of it what it does not want to compare. */
function copyOf({ headers, body, ...request }: MatchRequest): MatchRequest {
  return { ...request, headers: { ...headers }, body: body === undefined ? undefined : copyOfJson(body) }
}

function copyOfJson(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(copyOfJson)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOfJson(item)]))
}

function guardedMatcher(matcher: Matcher): GuardedMatcher {
  let trouble: string | undefined
  return {
    type: 'function',
    matches(recorded, received) {
      if (trouble !== undefined) return false
      try {
        const result: unknown = matcher(copyOf(recorded), copyOf(received))
        if (typeof result === 'boolean') return result
        trouble = `it returned ${nameOf(result)} instead of true or false`
      } catch (error) {
        trouble = `it threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
      }
      return false
    },
    trouble() {
      const told = trouble
      trouble = undefined
      return told
    },
  }
}

/**
 * Reads the pointers of `ignore`.
 *
 * @throws `WIRETAPE_USAGE` for one that is no pointer, with what would be.
 */
export function readIgnored(ignore: readonly string[] = []): readonly Pointer[] {
  return checkList('ignore', ignore).map(text => {
    const reading = readPointer(text)
    if (reading.type === 'pointer') return reading.pointer
    throw new WiretapeError(
      'WIRETAPE_USAGE',
      `${JSON.stringify(text)} in \`ignore\` is no JSON pointer: ${reading.why}.`,
      {
        hint:
          text === ''
            ? "To compare no bodies at all, set `match: 'route'`."
            : `Write ${JSON.stringify(reading.right)}. \`*\` stands for any key or index.`,
        details: { option: 'ignore', value: text, right: reading.right },
      },
    )
  })
}

/** Header fields as {@link MatchRequest} has them. */
export function headerRecord(headers: HeaderList): Readonly<Record<string, string>> {
  const record = new Map<string, string>()
  for (const [field, value] of headers) {
    const name = field.toLowerCase()
    const before = record.get(name)
    record.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(record)
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'object' && 'then' in value ? 'a promise' : `a value of type ${typeof value}`
}
