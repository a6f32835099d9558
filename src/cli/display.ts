/**
 * The live display on stderr: lines that stay, and below them, on a terminal that nobody else writes to,
 * one line that says what is going on. While the user's command writes there too, lines wait for its end,
 * so that none lands in the middle of what it says.
 *
 * Room: cli.
 */
import type { TextStream } from './output.ts'

/** How often the last line is looked at, in ms. */
const REDRAW_EVERY = 100
/** Back to the start of the line, and clear it (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001B[K'

/** What a command shows while it runs. */
export interface Display {
  /** Prints text that stays; it ends with a line feed. */
  print(text: string): void
  /** Prints what can wait: beside a command it comes out when the display is stopped. */
  log(text: string): void
  /** Shows below it, from now on, what `status` says: one line. */
  show(status: () => string): void
  /** Takes that line away. What is printed later still comes out. */
  stop(): void
}

/** Starts a display. `shared`: the user's command writes to the terminal too, so there is no last line. */
export function startDisplay(stream: TextStream, terminal: 'own' | 'shared'): Display {
  const print = (text: string) => void stream.write(text)
  if (terminal === 'shared') {
    const waiting: string[] = []
    const stop = () => {
      for (const text of waiting.splice(0)) print(text)
    }
    return { print, log: text => void waiting.push(text), show: () => undefined, stop }
  }
  if (stream.isTTY !== true) return { print, log: print, show: () => undefined, stop: () => undefined }
  let status: (() => string) | undefined
  let shown = ''
  const draw = () => {
    // A terminal that does not know its size says 0.
    const next = (status?.() ?? '').slice(0, (stream.columns || 80) - 1)
    if (next !== shown) print(CLEAR_LINE + next)
    shown = next
  }
  const timer = setInterval(draw, REDRAW_EVERY)
  timer.unref()
  const printAbove = (text: string) => print(shown === '' ? text : CLEAR_LINE + text + shown)
  return {
    print: printAbove,
    log: printAbove,
    show(next) {
      status = next
      draw()
    },
    stop() {
      clearInterval(timer)
      status = undefined
      draw()
    },
  }
}
