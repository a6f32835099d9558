/** What is told on stderr while the matrix is played. */
import { wordsOf } from './page-matrix.ts'
import type { Progress } from './play.ts'
import { labelOf } from './registry.ts'

/** A teller of lines: how far it is, what came, how long it may take yet. */
export function progressTeller(write: (line: string) => void): (progress: Progress) => void {
  const from = performance.now()
  let played = 0
  return ({ pair, number, of, cell, ms }) => {
    if (ms !== undefined) played += 1
    const where = `${String(number).padStart(String(of).length)}/${of}`
    const who = `${labelOf(pair.runtime)} ${pair.prepared.name}`
    const took = ms === undefined ? 'as before' : `${(ms / 1000).toFixed(1)} s`
    write(`${where}  ${who}: ${wordsOf(cell.marks)}  (${took}${left(from, played, of - number)})`)
  }
}

/** The time that is left, if what is left takes as long as what was played. */
function left(from: number, played: number, remaining: number): string {
  if (played === 0 || remaining === 0) return ''
  const minutes = (((performance.now() - from) / played) * remaining) / 60_000
  return `, ${minutes < 1 ? 'less than a minute' : `${Math.round(minutes)} min`} left`
}
