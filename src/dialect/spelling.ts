/**
 * JSON as the services print it: on several lines, or an event's on one.
 *
 * A value spelled back must give the very bytes it was read from, so these are frozen with the format.
 *
 * Room: dialect.
 */
import { isJsonList, type JsonValue } from '../wire/json.ts'

/** What stands between the tokens of one way to print JSON. */
interface Layout {
  /** Between a key and its value. */
  readonly colon: string
  /** One step of indentation; undefined: all on one line. */
  readonly indent: string | undefined
}

/** On several lines, two blanks a level, as Google's front ends print bodies (all recorded ones, errors too). */
export function spellPretty(value: JsonValue, numbers?: readonly string[]): string {
  return `${print(value, { colon: ': ', indent: '  ' }, numbers)}\n`
}

/** On one line, a blank after each colon, as in the events of model streams (214 of 215 recorded). */
export function spellSpaced(value: JsonValue, numbers?: readonly string[]): string {
  return print(value, { colon: ': ', indent: undefined }, numbers)
}

/** On one line without a blank: as `JSON.stringify`, and as the events of Interactions. */
export function spellCompact(value: JsonValue, numbers?: readonly string[]): string {
  return print(value, { colon: ':', indent: undefined }, numbers)
}

function print(root: JsonValue, layout: Layout, numbers: readonly string[] | undefined): string {
  let used = 0

  function list(open: string, items: readonly string[], close: string, outer: string): string {
    if (items.length === 0) return open + close
    if (layout.indent === undefined) return open + items.join(',') + close
    const inner = outer + layout.indent
    return `${open}${inner}${items.join(`,${inner}`)}${outer}${close}`
  }

  // `outer` is the line break and indentation of the line that the value begins on.
  function spell(value: JsonValue, outer: string): string {
    if (typeof value === 'number') {
      const lexeme = numbers?.[used]
      used += 1
      return lexeme ?? JSON.stringify(value)
    }
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const inner = outer + (layout.indent ?? '')
    if (isJsonList(value)) {
      const items = value.map(item => spell(item, inner))
      return list('[', items, ']', outer)
    }
    const items = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}${layout.colon}${spell(item, inner)}`,
    )
    return list('{', items, '}', outer)
  }

  return spell(root, '\n')
}
