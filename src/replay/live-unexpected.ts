/**
 * What is said of a client message that is not the recorded one: why, where, what came before, both sides.
 *
 * Room: replay.
 */
import { type Cause, cause } from '../dialect/cause.ts'
import type { DiscreteInput, ResponseInput, SocketDialect } from '../dialect/live-messages.ts'
import type { InputDifference } from './live-difference.ts'
import type { Need } from './live-expected.ts'
import type { LiveScript } from './live-script.ts'
import { beforeLines, differenceLines, ignoreHint, type Refusal, refusal } from './live-failure.ts'
import { causesText } from './miss.ts'
import { recordAgain } from './record-again.ts'

/** A message that was not expected, and what is known of it. */
export interface Unexpected {
  /** The connection. */
  readonly script: LiveScript
  readonly input: DiscreteInput | ResponseInput
  /** What should have come; undefined where nothing more should. */
  readonly recorded: Need | undefined
  /** Where the very same message is recorded; undefined where it is not. */
  readonly elsewhere: Need | undefined
  readonly difference: InputDifference
  /** What came and went before it, the last thing last. */
  readonly before: readonly string[]
}

/** The client sent something that is not the next thing on the recording. */
export function unexpectedInput(
  unexpected: Unexpected,
  dialect: SocketDialect,
  redact: (text: string) => string,
): Refusal {
  const { script, input, recorded, elsewhere, difference, before } = unexpected
  const { name, source } = script
  const causes = causesOf(unexpected, dialect)
  const where = recorded === undefined ? 'after its last one' : `message ${recorded.number}`
  const what = recorded === undefined ? 'has nothing more of the kind' : `has ${recorded.input.label} here`
  const [first] = causes
  const short = `${where}, ${difference.path}: recorded ${difference.recorded}, received ${difference.received}`
  return refusal(
    'WIRETAPE_NO_MATCH',
    [
      `The client sent ${input.label}, which is not what the recording has next: ${causesText(causes, redact)}.`,
      `  at:         ${name}, ${where}`,
      ...beforeLines(before),
      ...differenceLines(difference),
      ...(elsewhere === undefined ? [] : [`  It is on the recording as message ${elsewhere.number}.`]),
      `The recording ${what}.`,
      ...adviceOn(first, unexpected),
      recordAgain(source.file),
    ],
    short,
    {
      cause: first?.name,
      causes: causes.map(({ name: word }) => word),
      words: causes.map(({ words }) => redact(words)),
      exchange: name,
      message: recorded?.number,
      input: input.label,
      elsewhere: elsewhere?.number,
      before,
      ...difference,
    },
  )
}

function causesOf({ input, recorded, elsewhere }: Unexpected, dialect: SocketDialect): readonly Cause[] {
  if (elsewhere !== undefined) {
    return elsewhere.arrived === undefined
      ? [cause('out-of-order', `it is out of order, recorded as message ${elsewhere.number}`)]
      : [cause('message-again', `it is the same message again, recorded once as message ${elsewhere.number}`)]
  }
  if (recorded === undefined) {
    return [cause('message-unexpected', `no further ${input.label} is recorded`)]
  }
  const causes = dialect.explain(recorded.input, input)
  return causes.length > 0 ? causes : [cause('body-changed', 'the message is another')]
}

function adviceOn(first: Cause | undefined, { elsewhere, difference }: Unexpected): readonly string[] {
  if (first?.advice !== undefined) return [first.advice]
  return elsewhere === undefined ? ignoreHint(difference) : []
}
