/**
 * What is said where a replay at pace `manual` ends while something waits: nobody has let it go.
 *
 * Room: serve.
 */
import { WiretapeError } from '../errors.ts'
import { counted } from '../replay/report.ts'

const BEGINS = 'at pace `manual` nothing goes out without a step()'

/** For the report; undefined where nothing is open. */
export function forgottenNote(answers: number, sockets: number): string | undefined {
  const open = [
    ...(answers === 0 ? [] : [counted(answers, 'answer')]),
    ...(sockets === 0 ? [] : [counted(sockets, 'socket')]),
  ]
  if (open.length === 0) return undefined
  return `${BEGINS}, and ${open.join(' and ')} still waited at the end`
}

/** The verdict with such a note below it: what was left, was left for want of a step. */
export function withForgotten(
  verdict: WiretapeError | undefined,
  notes: readonly string[],
): WiretapeError | undefined {
  const note = notes.find(text => text.startsWith(BEGINS))
  if (verdict === undefined || note === undefined) return verdict
  const { code, message, details } = verdict
  return new WiretapeError(code, message, {
    hint: `${note.replace('at', 'At')}. Was one forgotten?`,
    details,
  })
}
