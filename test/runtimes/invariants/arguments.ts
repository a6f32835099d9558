/**
 * Arguments that come in pieces, put together.
 *
 * Each piece is for the value at a JSONPath (RFC 9535, singular queries only). Texts for the same place are
 * appended; any other value takes the place of what was there.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import type { ArgumentPiece } from './said.ts'

/** The arguments that these pieces come to, on top of what came whole. */
export function foldArguments(pieces: readonly ArgumentPiece[], whole: JsonObject = {}): JsonObject {
  const folded = pieces.reduce<JsonValue>((args, { path, value }) => put(args, stepsOf(path), value), whole)
  return isJsonObject(folded) ? folded : whole
}

/** The names and indexes of a path: `$.stops[0]['the.port']` is stops, 0, the.port. */
export function stepsOf(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = []
  const step = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy
  step.lastIndex = path.startsWith('$') ? 1 : 0
  for (let match = step.exec(path); match !== null; match = step.exec(path)) {
    const [, name, index, single, double] = match
    if (index === undefined) steps.push(name ?? unescaped(single ?? double ?? ''))
    else steps.push(Number(index))
  }
  return steps
}

function unescaped(quoted: string): string {
  const named: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
  return quoted.replaceAll(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, hex: string | undefined, other: string) =>
    hex === undefined ? (named[other] ?? other) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function put(into: JsonValue | undefined, steps: readonly (string | number)[], value: JsonValue): JsonValue {
  const [step, ...rest] = steps
  if (step === undefined) return typeof into === 'string' && typeof value === 'string' ? into + value : value
  if (typeof step === 'number') {
    const list = isJsonList(into) ? [...into] : []
    // A gap can't be said in JSON.
    while (list.length < step) list.push(null)
    list[step] = put(list[step], rest, value)
    return list
  }
  const object = isJsonObject(into) ? into : {}
  const before = Object.hasOwn(object, step) ? object[step] : undefined
  return { ...object, [step]: put(before, rest, value) }
}
