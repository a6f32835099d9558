/**
 * Whether two client inputs are the same, and where they first differ.
 *
 * Room: replay.
 */
import type { DiscreteInput, ResponseInput } from '../dialect/live-messages.ts'
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { differences } from './difference.ts'
import type { GuardedMatcher, MatchRequest } from './matching.ts'

/** How much of a whole message is shown, in characters. */
const SHOWN = 160

/** Where two inputs differ first, both sides as text; `nothing` where one has no value there. */
export interface InputDifference {
  /** A JSON path, e.g. `$.turns[0].text`. */
  readonly path: string
  readonly recorded: string
  readonly received: string
}

/** An input that is held against the recording. */
type ExactInput = DiscreteInput | ResponseInput

/** Compares inputs. They are redacted already. */
export interface Comparer {
  /** Whether what came is what is recorded. */
  readonly same: (recorded: ExactInput, received: ExactInput) => boolean
  /** `recorded` is undefined where nothing is. */
  readonly difference: (recorded: ExactInput | undefined, received: ExactInput) => InputDifference
}

/** Makes a comparer. `redact` takes out what a decoded value may show that the bytes did not. */
export function createComparer(redact: (text: string) => string): Comparer {
  const texts = new WeakMap<ExactInput, string>()

  function text(input: ExactInput): string {
    const known = texts.get(input)
    if (known !== undefined) return known
    const made = JSON.stringify(inOneOrder(input.value))
    texts.set(input, made)
    return made
  }

  return {
    same: (recorded, received) => text(recorded) === text(received),
    difference(recorded, received) {
      const whole = shortened(redact(text(received)))
      if (recorded === undefined) return { path: '$', recorded: 'nothing', received: whole }
      const [first] = differences(
        { type: 'json', value: recorded.value },
        { type: 'json', value: received.value },
        redact,
      )
      if (first === undefined || !shareKeys(recorded.value, received.value)) {
        return { path: '$', recorded: shortened(redact(text(recorded))), received: whole }
      }
      const { path, recorded: mine = 'nothing', received: theirs = 'nothing' } = first.show()
      return { path, recorded: mine, received: theirs }
    },
  }
}

/** Looks no further than what kind of message an input is, and which call a response answers. */
export function ofOneKind({ difference }: Comparer): Comparer {
  return { same: (recorded, received) => recorded.label === received.label, difference }
}

/** What the two connections that are compared were opened with. */
interface ComparedSockets {
  readonly recorded: Omit<MatchRequest, 'body'>
  readonly received: Omit<MatchRequest, 'body'>
}

/** Leaves it to a function of the user's whether two messages of one kind are the same. */
export function byFunction(
  { difference }: Comparer,
  matcher: GuardedMatcher,
  sockets: ComparedSockets,
): Comparer {
  return {
    same: (recorded, received) =>
      recorded.label === received.label &&
      matcher.matches(
        { ...sockets.recorded, body: messageOf(recorded) },
        { ...sockets.received, body: messageOf(received) },
      ),
    difference,
  }
}

/** The message that an input stands in. */
function messageOf({ value, place }: ExactInput): JsonValue {
  return place.reduceRight<JsonValue>((inner, step) => (step === '*' ? [inner] : { [step]: inner }), value)
}

/** Two messages that share no key are two kinds of message: no place inside them tells more. */
function shareKeys(left: JsonValue, right: JsonValue): boolean {
  return isJsonObject(left) && isJsonObject(right) && Object.keys(left).some(key => Object.hasOwn(right, key))
}

/** A value whose objects have their keys in one order, since order means nothing in JSON. */
function inOneOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOneOrder)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, below]) => [key, inOneOrder(below)]))
}

/** A text that fits into a message. */
export function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}... (${text.length} characters)`
}
