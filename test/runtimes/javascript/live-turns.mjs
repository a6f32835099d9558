/**
 * One connection of a Live app: says one turn after the other, each when the one before it is over, and hangs up a
 * little after the last. Runs in a page as well as in Node.
 */
import { listenTo, LIVE_SILENCE_MS, Silence } from './patience.mjs'

/** The app hangs up after so many ms in which nothing came since the end of the last turn: the usage may come then. */
const QUIET_MS = 250

/**
 * Has the turns.
 *
 * @param say - Sends a turn.
 * @param incoming - What comes, and ends when the connection has.
 * @param hear - Takes what came; true where that was the end of a turn.
 * @param hangUp - Closes the connection; `incoming` ends by it.
 */
export async function converse(turns, { say, incoming, hear, hangUp }) {
  const listener = listenTo(incoming)
  const [first, ...rest] = turns
  let isLeaving = false
  let isOver = first === undefined
  if (first !== undefined) await say(first)
  for (;;) {
    const patience = isOver && !isLeaving ? QUIET_MS : LIVE_SILENCE_MS
    const next = await listener.next(patience).catch(raised => {
      if (!(raised instanceof Silence) || isLeaving || !isOver) throw raised
      return undefined
    })
    if (next?.done === true) return
    if (next === undefined) {
      isLeaving = true
      hangUp()
      continue
    }
    const isEnd = await hear(next.value)
    const following = isEnd ? rest.shift() : undefined
    if (following !== undefined) await say(following)
    else isOver ||= isEnd
  }
}
