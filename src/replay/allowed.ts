/**
 * What a replay may leave over or get too much of without failing, by name.
 *
 * Room: replay.
 */
import { WiretapeError } from '../errors.ts'
import { checkList } from './option-list.ts'
import { LEFTOVER_KINDS, type Leftover, type LeftoverKind } from './report.ts'

/** What can be allowed: a kind of leftover, or requests and sockets that the recording has no answer for. */
export type AllowedKind = LeftoverKind | 'extra-request'

/** Every {@link AllowedKind}. */
export const ALLOWED_KINDS: readonly AllowedKind[] = [...LEFTOVER_KINDS, 'extra-request']

/**
 * Checks the names of what is allowed.
 *
 * @throws `WIRETAPE_USAGE` for a name that is none.
 */
export function readAllowed(allow: readonly string[] = []): readonly AllowedKind[] {
  return checkList('allow', allow).map(name => {
    const known = ALLOWED_KINDS.find(kind => kind === name)
    if (known !== undefined) return known
    throw new WiretapeError(
      'WIRETAPE_USAGE',
      `${JSON.stringify(name)} in \`allow\` is nothing that can be allowed.`,
      {
        hint: `Write one of ${ALLOWED_KINDS.join(', ')}.`,
        details: { option: 'allow', value: name, allowed: ALLOWED_KINDS },
      },
    )
  })
}

/** Leftovers that fail a replay, and a note for each of those that are allowed. */
export function sortedOut(
  leftovers: readonly Leftover[],
  allow: readonly AllowedKind[],
): { readonly leftovers: readonly Leftover[]; readonly allowed: readonly string[] } {
  return {
    leftovers: leftovers.filter(({ kind }) => !allow.includes(kind)),
    allowed: leftovers
      .filter(({ kind }) => allow.includes(kind))
      .map(({ kind, message }) => allowedNote(kind, message)),
  }
}

/** The note of something that is allowed. */
export function allowedNote(kind: AllowedKind, what: string): string {
  return `allowed (${kind}): ${what}`
}
