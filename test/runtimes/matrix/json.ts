/** Reads JSON that nobody vouches for: what is not of the kind that is asked for reads as an empty one. */

/** An object; everything else reads as one without keys. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** A list; everything else reads as an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A list of objects. */
export function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return list(value).map(record)
}

/** A text; everything else reads as undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Values of these fields are the user's own: their keys are left as they are. */
const OPAQUE: ReadonlySet<string> = new Set([
  'args',
  'parametersJsonSchema',
  'properties',
  'response',
  'responseJsonSchema',
])

/** The same value with the field names of protos in camelCase, as the API spells them: SDKs send either. */
export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [name, OPAQUE.has(name) ? item : camelCased(item)]
    }),
  )
}

/** Whether both are the same JSON, whatever the order of keys. */
export function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
