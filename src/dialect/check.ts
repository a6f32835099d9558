/**
 * What a check of a recorded exchange is: something that a service would never send, by name.
 *
 * A recording can't fail one; what is written by hand can, and would then test a client against a service
 * that is not there. `docs/lint.md` says the source of each.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'
import { shallow } from './live-fold.ts'
import { operationOf } from './operation.ts'
import { jsonOf, type Said, type Trace } from './trace.ts'

/** Something that a check found. */
export interface Objection {
  /** The event or message that it is about, from 1; undefined for the exchange as a whole. */
  readonly number?: number | undefined
  /** What is wrong, in a sentence without its full stop. */
  readonly message: string
}

/** One check. */
export interface Check {
  /** Stable: cassettes name it in `x-lint-allow`. */
  readonly name: string
  readonly objections: (trace: Trace) => readonly Objection[]
}

/** An event or message with the object that it carries, its own keys in camelCase. */
export interface Carried {
  readonly said: Said
  readonly number: number | undefined
  readonly value: JsonObject
}

/** What the service said in objects, keys in camelCase. */
export function answers(trace: Trace): readonly Carried[] {
  return trace.said.flatMap(said => {
    const value = jsonOf(said)
    if (said.from !== 'server' || !isJsonObject(value)) return []
    return [{ said, number: said.number, value: shallow(value) }]
  })
}

/** What the service said that is no JSON, and is text. */
export function answeredTexts(
  trace: Trace,
): readonly { readonly number: number | undefined; readonly text: string }[] {
  return trace.said.flatMap(({ from, number, content }) =>
    from === 'server' && content?.type === 'text' ? [{ number, text: content.text }] : [],
  )
}

/** The method of a model that an exchange asks for; undefined where it asks for something else. */
export function modelMethodOf(trace: Trace): string | undefined {
  if (trace.dialect !== 'generate-content') return undefined
  return /^POST .*:(\w+)(?:\?|$)/.exec(operationOf(trace).key)?.[1]
}

/** True for a stream of a model that was answered with 200. */
export function isModelStream(trace: Trace): boolean {
  return (
    modelMethodOf(trace) === 'streamGenerateContent' &&
    trace.answer === 'stream' &&
    trace.head?.status === 200
  )
}

/** True for a streamed interaction. */
export function isInteractionStream(trace: Trace): boolean {
  return trace.dialect === 'interactions' && trace.answer === 'stream' && trace.head?.status === 200
}

/** A list; one thing alone is a list of one, nothing an empty one. */
export function items(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
}
