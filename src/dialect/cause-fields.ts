/**
 * Why two bodies differ, field by field: which field means what is a table of each API.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue, own, sameJson } from '../wire/json.ts'
import { cause, type Cause, type CauseName, changeOf, quoted } from './cause.ts'

/** Tells the causes of a difference in one field. A side that has no such field is undefined. */
export type FieldCauses = (
  recorded: JsonValue | undefined,
  received: JsonValue | undefined,
) => readonly Cause[]

/** The fields of an API's requests, the weightiest first. */
export type FieldTable = ReadonlyMap<string, FieldCauses>

/** How many fields that no table has are named. */
const NAMED = 3

/** The causes of all differences between two bodies: those of the table's fields in its order, then the others. */
export function explainFields(
  recorded: JsonObject,
  received: JsonObject,
  table: FieldTable,
): readonly Cause[] {
  const differs = (key: string): boolean => {
    const [one, other] = [own(recorded, key), own(received, key)]
    return one === undefined || other === undefined ? one !== other : !sameJson(one, other)
  }
  const known = [...table].flatMap(([key, explain]) =>
    differs(key) ? explain(own(recorded, key), own(received, key)) : [],
  )
  const keys = new Set([...Object.keys(recorded), ...Object.keys(received)])
  const others = [...keys].filter(key => !table.has(key) && differs(key))
  return [
    ...known,
    ...others
      .slice(0, NAMED)
      .map(key =>
        cause('field-changed', `\`${quoted(key)}\` ${changeOf(own(recorded, key), own(received, key))}`),
      ),
  ]
}

/** The causes of a difference between two bodies of which nothing is known. */
export function explainAnything(recorded: JsonValue, received: JsonValue): readonly Cause[] {
  if (isJsonObject(recorded) && isJsonObject(received)) return explainFields(recorded, received, new Map())
  return [cause('body-changed', 'the body is another')]
}

/** A field that is told of by one noun. */
export function field(name: CauseName, noun: string): FieldCauses {
  return (recorded, received) => [cause(name, `${noun} ${changeOf(recorded, received)}`)]
}

/** A field whose two values are short enough to be told. */
export function namedField(name: CauseName, noun: string): FieldCauses {
  return (recorded, received) => [
    cause(name, `${noun} is ${quoted(received)}, recorded with ${quoted(recorded)}`),
  ]
}

/** A field with settings below it; those that differ are named. `schemas` are those that say how an answer looks. */
export function settings(name: CauseName, noun: string, schemas: ReadonlySet<string>): FieldCauses {
  return (recorded, received) => {
    const [one, other] = [isJsonObject(recorded) ? recorded : {}, isJsonObject(received) ? received : {}]
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    const changed = keys.filter(key => {
      const [left, right] = [own(one, key), own(other, key)]
      return left === undefined || right === undefined ? left !== right : !sameJson(left, right)
    })
    const [schema] = changed.filter(key => schemas.has(key))
    const rest = changed.filter(key => !schemas.has(key))
    const more = rest.length > NAMED ? ', ...' : ''
    const listed = rest.length === 0 ? '' : ` (${rest.slice(0, NAMED).map(quoted).join(', ')}${more})`
    return [
      ...(rest.length > 0 || schema === undefined
        ? [cause(name, `${noun} ${changeOf(recorded, received)}${listed}`)]
        : []),
      ...(schema === undefined
        ? []
        : [
            cause(
              'response-schema-changed',
              `the schema of the answer ${changeOf(own(one, schema), own(other, schema))}`,
            ),
          ]),
    ]
  }
}
