/**
 * What a client is told when it leaves the recording, and what the report keeps: both sides, and what to do.
 *
 * Room: replay.
 */
import type { ClientInput } from '../dialect/live-messages.ts'
import { fittingReason } from '../wire/close.ts'
import { shortened, type InputDifference } from './live-difference.ts'
import type { Need } from './live-expected.ts'
import type { Failure } from './http.ts'
import type { LiveScript } from './live-script.ts'
import { CLOSE_NO_MATCH, CLOSE_STALL } from './live.ts'
import { shorten } from './difference.ts'
import { fitted, placesText } from './miss.ts'
import { recordAgain } from './record-again.ts'

/** A failure, and the close that tells the client of it. */
export interface Refusal {
  readonly failure: Failure
  readonly code: number
  readonly reason: string
}

/** What to do about a socket that nothing answers. `file`: a cassette with sockets; undefined where there is none. */
export function otherRecording(file: string | undefined): string {
  return file === undefined ? 'Replay a cassette that holds this session.' : recordAgain(file)
}

/** Nothing on the recording can answer a socket of this operation, whatever it says. */
export function unmatchedOpening(operation: string, why: string, file: string | undefined): Failure {
  const text = `No recorded connection answers ${shorten(operation, 100)}: ${why}.`
  return refusal('WIRETAPE_NO_MATCH', [text, otherRecording(file)], why, {
    operation,
    cause: 'operation-unknown',
    why,
  }).failure
}

/** The user's own function could not tell whether a message is recorded. */
export function failedMatcher(operation: string, trouble: string): Refusal {
  return refusal(
    'WIRETAPE_NO_MATCH',
    [
      `The \`match\` function failed: ${trouble}.`,
      `  asked:    ${operation}`,
      'Mend the function: it gets two messages, and must return true or false.',
    ],
    'the match function failed',
    { operation, cause: 'match-function-failed', trouble },
  )
}

/** The client opened a socket and said nothing. */
export function silentConnection(operation: string, quietMs: number): Refusal {
  const text = `A client opened ${shorten(operation, 100)} and sent nothing for ${quietMs} ms`
  return refusal(
    'WIRETAPE_STALL',
    [`${text}.`, 'Which recorded connection it means is told by its first message: send that.'],
    text,
    { cause: 'client-silent', operation, quietMs },
  )
}

/** A server message waits for what the client did not send. */
export function stalled(
  { name, source: { file } }: LiveScript,
  waiting: { readonly number: number; readonly label: string },
  missing: readonly Need[],
  came: readonly string[],
  quietMs: number,
): Refusal {
  const first = missing[0]
  const wanted = missing.map(need => `message ${need.number}, ${need.input.label}`)
  return refusal(
    'WIRETAPE_STALL',
    [
      `The replay waited ${quietMs} ms for a message that the client did not send: ${wanted[0] ?? 'one'} is missing.`,
      `  at:      ${name}`,
      `  waiting: message ${waiting.number} of the service, ${waiting.label}`,
      `  it waits for: ${wanted.slice(0, 3).join('; ')}${wanted.length > 3 ? `; ${wanted.length - 3} more` : ''}`,
      `  came so far: ${came.join(', ') || 'nothing'}`,
      'Send what is missing, or raise the stall time if the client is only slow.',
      recordAgain(file),
    ],
    `${waiting.label} waits for message ${first?.number}, ${first?.input.label}`,
    {
      cause: 'message-missing',
      exchange: name,
      waiting: waiting.number,
      missing: missing.map(need => need.number),
      came,
      quietMs,
    },
  )
}

/** The client closed the socket in another way than on the recording. */
export function otherClose(
  name: string,
  recorded: string,
  received: string,
  before: readonly string[],
): Failure {
  return refusal(
    'WIRETAPE_NO_MATCH',
    [
      `The client left in another way than on the recording: ${received}, recorded as ${recorded}.`,
      `  at:         ${name}`,
      ...beforeLines(before),
      `  recorded:   ${recorded}`,
      `  received:   ${received}`,
      'Look for what the client did not like about the last messages.',
    ],
    'another close',
    { cause: 'close-changed', exchange: name, recorded, received, before },
  ).failure
}

/** An input, for messages. */
export function labelOf(input: ClientInput): string {
  return input.type === 'media' ? `${Math.round(input.amount)} ${input.unit}` : input.label
}

/** Where two messages differ, both sides: three lines. */
export function differenceLines({
  path,
  recorded,
  received,
  differences,
}: InputDifference): readonly string[] {
  return [
    `  differs at: ${path}`,
    `  recorded:   ${recorded}`,
    `  received:   ${received}`,
    ...(differences > 1 ? [`  and at ${placesText(differences - 1)}`] : []),
  ]
}

/** How a place is ignored, where that may be what is wanted. */
export function ignoreHint({ plain, pointer }: InputDifference): readonly string[] {
  if (!plain || pointer === undefined) return []
  return [`If this value differs from run to run, ignore it: \`ignore: ['${pointer}']\`.`]
}

/** What came and went before a failure. */
export function beforeLines(before: readonly string[]): readonly string[] {
  return before.map((line, index) => `  ${index === 0 ? 'before it:' : '          '}  ${line}`)
}

/** Makes a refusal; `short` is what fits into the reason of a close. */
export function refusal(
  code: Failure['code'],
  lines: readonly string[],
  short: string,
  details: Failure['details'],
): Refusal {
  return {
    failure: { code, message: fitted(lines), details },
    code: code === 'WIRETAPE_STALL' ? CLOSE_STALL : CLOSE_NO_MATCH,
    reason: fittingReason(`${code}: ${shortened(short)}`, '...'),
  }
}
