/** The words of findings: how a value, a part or a number is said, the same in all of them. */
import type { WirePart } from './wire-parts.ts'

/** What a text is: said, or thought. */
export type TextKind = 'text' | 'thought'

/** Which of the two a text is. */
export function kindOf({ thought }: { readonly thought?: boolean | undefined }): TextKind {
  return thought === true ? 'thought' : 'text'
}

/** A value: quoted, and not too long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 157)}…` : text
}

/** Several, in order; `none` where there are none. */
export function listed(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.join(', ')
}

/** How often. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** A call or a response, by its name and its id. */
export function callLabel({
  name,
  id,
}: {
  readonly name?: string | undefined
  readonly id?: string | undefined
}): string {
  return id === undefined ? `${name}` : `${name} (${id})`
}

/** A part of the wire. */
export function partLabel(part: WirePart): string {
  if (part.kind === 'call') return `the call ${callLabel(part)}`
  return part.kind === 'text' ? `the ${kindOf(part)} ${shown(part.text)}` : `the ${part.kind}`
}
