/** Text that is pending when something cuts it (I4). */
import type { WireText } from './wire-parts.ts'
import type { Invariant } from './run.ts'
import { fromModel, played, textIn, wireTexts } from './view.ts'
import type { WireExchange } from './wire.ts'
import { kindOf, partLabel } from './words.ts'

/** What lies between a text and what cuts it, and does not end it. */
const BESIDE: ReadonlySet<string> = new Set(['media', 'transcription', 'usage', 'handle', 'text'])
const CUTS: Readonly<Record<string, string>> = {
  interrupted: 'the user cut in',
  call: 'a tool was called',
  'go-away': 'the service announced that it would leave',
}

/** What is pending when the service hangs up may be lost: that is said of the runtimes that lose it. */
export const pendingIsStored: Invariant = {
  number: 'I4',
  says: 'Text that is pending when the user cuts in, a tool is called, or the service announces to leave is stored.',
  judge(run) {
    const { session } = run.transcript
    if (session === null || run.scenario.api !== 'live') return undefined
    const pending = played(run).flatMap(exchange =>
      wireTexts([exchange]).flatMap(text => {
        const cut = cutOf(text, exchange)
        return cut === undefined || text.text === '' ? [] : [{ text, cut }]
      }),
    )
    if (pending.length === 0) return undefined
    return pending.flatMap(({ text, cut }) =>
      textIn(fromModel(session), kindOf(text)).includes(text.text)
        ? []
        : [`${partLabel(text)} was pending when ${cut}, and is not in the session`],
    )
  },
}

function cutOf({ to, thought }: WireText, { said }: WireExchange): string | undefined {
  const after = said.slice(
    said.findLastIndex(saying => saying.kind === 'text' && saying.at <= to && saying.thought === thought) + 1,
  )
  const next = after.find(({ kind }) => !BESIDE.has(kind))
  return next === undefined ? undefined : CUTS[next.kind]
}
