/**
 * Whether two client inputs are the same, and where they first differ.
 *
 * Room: replay.
 */
import type { DiscreteInput, ResponseInput } from '../dialect/live-messages.ts'
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { writePointer } from '../wire/pointer.ts'
import { jsonDifference } from './difference.ts'
import { partings } from './parting.ts'
import type { GuardedMatcher, MatchRequest } from './matching.ts'

/** How much of a whole message is shown, in characters. */
const SHOWN = 160
/** How much of a message is looked through for secrets before it is cut, in characters. */
const LOOKED_AT = 8192

/** Where two inputs differ first, both sides as text; `nothing` where one has no value there. */
export interface InputDifference {
  /** A JSON path, e.g. `$.turns[0].text`. */
  readonly path: string
  /** The same as a JSON pointer into the message, as `ignore` takes it; undefined where there is none. */
  readonly pointer: string | undefined
  /** True where a plain value differs, and nothing else: then `ignore` may be what is wanted. */
  readonly plain: boolean
  /** In how many places they differ; 100 at most. */
  readonly differences: number
  readonly recorded: string
  readonly received: string
}

/** An input that is held against the recording. */
type ExactInput = DiscreteInput | ResponseInput

/** Compares inputs. They are redacted already. */
export interface Comparer {
  /** Whether what came is what is recorded. */
  readonly same: (recorded: ExactInput, received: ExactInput) => boolean
  /** An input, redacted and short. */
  readonly show: (input: ExactInput) => string
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

  const show = (input: ExactInput): string => {
    const whole = text(input)
    return shortened(redact(whole.slice(0, LOOKED_AT)), whole.length)
  }

  return {
    same: (recorded, received) => text(recorded) === text(received),
    show,
    difference(recorded, received) {
      const whole: InputDifference = {
        path: '$',
        pointer: undefined,
        plain: false,
        differences: 1,
        recorded: recorded === undefined ? 'nothing' : show(recorded),
        received: show(received),
      }
      if (recorded === undefined || !shareKeys(recorded.value, received.value)) return whole
      const places = partings(recorded.value, received.value)
      const [first] = places
      if (first === undefined) return whole
      const found = jsonDifference(first, redact)
      const { path, pointer, recorded: mine, received: theirs } = found.show()
      return {
        plain: found.plain && places.length === 1,
        differences: places.length,
        path,
        pointer: pointer === undefined ? undefined : writePointer(received.place) + pointer,
        recorded: mine ?? 'nothing',
        received: theirs ?? 'nothing',
      }
    },
  }
}

/** Looks no further than what kind of message an input is, and which call a response answers. */
export function ofOneKind(comparer: Comparer): Comparer {
  return { ...comparer, same: (recorded, received) => recorded.label === received.label }
}

/** What the two connections that are compared were opened with. */
interface ComparedSockets {
  readonly recorded: Omit<MatchRequest, 'body'>
  readonly received: Omit<MatchRequest, 'body'>
}

/** Leaves it to a function of the user's whether two messages of one kind are the same. */
export function byFunction(comparer: Comparer, matcher: GuardedMatcher, sockets: ComparedSockets): Comparer {
  return {
    ...comparer,
    same: (recorded, received) =>
      recorded.label === received.label &&
      matcher.matches(
        { ...sockets.recorded, body: messageOf(recorded) },
        { ...sockets.received, body: messageOf(received) },
      ),
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

/** A text that fits into a message; `length` is that of all of it. */
export function shortened(text: string, length: number = text.length): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}... (${length} characters)`
}
