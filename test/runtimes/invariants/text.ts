/** Text: what is streamed in pieces, what is handed out whole, and what is stored of it (I1 to I3). */
import type { WireText } from './wire-parts.ts'
import type { Event, Finding, Invariant } from './run.ts'
import type { WireExchange } from './wire.ts'
import { endedWell, fromModel, kept, partsIn, played, saidOf, seen, textIn, wireTexts } from './view.ts'
import { type TextKind, kindOf, shown, times } from './words.ts'

const KINDS = ['text', 'thought'] as const

/** Whether something may have cut a turn before its end. */
type Ending = 'whole' | 'cut'

/** What of partial text must still come whole. */
interface Pending {
  text: string
  readonly done: string[]
}

/** Where nothing is partial, nothing has to come whole later: a client library hands out pieces and no more. */
const wholeAfterPartial: Invariant = {
  number: 'I1',
  says: 'Text that is handed out in partial events comes whole in exactly one later event, and the two are the same.',
  judge(run) {
    const { transcript } = run
    if (!seen(run).some(({ partial, parts }) => partial && parts.some(({ text }) => text))) return undefined
    const texts = wireTexts(played(run))
    const cutOff = played(run).some(exchange => !endedWell(exchange))
    return transcript.turns.flatMap(({ events, error }) => {
      const authors = new Set(fromModel(events).map(({ author }) => author))
      return [...authors].flatMap(author =>
        KINDS.flatMap(kind => {
          const own = events.filter(event => event.author === author)
          return wholes(own, kind, texts, error !== null || cutOff ? 'cut' : 'whole')
        }),
      )
    })
  },
}

/** What is pending where a turn is cut off may be lost: so the runtimes say it, and I4 is for the rest. */
function wholes(
  events: readonly Event[],
  kind: TextKind,
  texts: readonly WireText[],
  ending: Ending,
): readonly Finding[] {
  const findings: Finding[] = []
  const pending: Pending = { text: '', done: [] }
  for (const event of events) {
    const text = textIn([event], kind)
    if (text === '') continue
    if (event.partial) {
      pending.text += text
      continue
    }
    // What a broken connection left pending is not part of what comes on the next one.
    const rest = ending === 'cut' && pending.text.endsWith(text)
    const wrong = rest ? undefined : wholeBut(text, pending, kind, texts)
    if (wrong !== undefined) findings.push(wrong)
    pending.done.push(text)
    pending.text = ''
  }
  if (pending.text !== '' && ending === 'whole') {
    findings.push(`the ${kind} ${shown(pending.text)} came in partial events, and in no whole one`)
  }
  return findings
}

/** What is wrong with a whole text; undefined: nothing. */
function wholeBut(
  text: string,
  { text: partial, done }: Pending,
  kind: TextKind,
  texts: readonly WireText[],
): Finding | undefined {
  const said = texts.filter(run => kindOf(run) === kind)
  if (partial === '') {
    const often = said.filter(
      run => run.text === text || run.chunks.some(chunk => chunk.text === text),
    ).length
    const count = done.filter(other => other === text).length + 1
    if (count === 1 || count <= often) return undefined
    return `the ${kind} ${shown(text)} is on the wire ${times(often)}, and came whole ${count} times`
  }
  if (text === partial) return undefined
  // The last piece may be in the whole event alone, where it came with the mark that ends the text.
  const tail = text.startsWith(partial) ? text.slice(partial.length) : undefined
  if (tail !== undefined && said.some(run => run.text.endsWith(text) && lastMessage(run) === tail))
    return undefined
  return `partial events gave the ${kind} ${shown(partial)}, and the whole event after them has ${shown(text)}`
}

function lastMessage({ chunks }: WireText): string {
  const last = chunks.at(-1)?.at
  return chunks
    .filter(({ at }) => at === last)
    .map(({ text }) => text)
    .join('')
}

/** Stored in pieces or whole: it does not matter here, see I8. */
const storedOnce: Invariant = {
  number: 'I2',
  says: 'All text on the wire is in the session exactly once, and in the order of the wire.',
  judge(run) {
    const { session } = run.transcript
    const exchanges = played(run)
    if (session === null || wireTexts(exchanges).length === 0) return undefined
    return KINDS.flatMap(kind => {
      const runs = exchanges.flatMap(exchange =>
        wireTexts([exchange], kind).map(text => ({ text, optional: mayBeLost(text, exchange) })),
      )
      return missingOrTwice(runs, textIn(fromModel(session), kind), kind)
    })
  },
}

/** An answer that did not come to its end need not be stored; whether it is said that it did not is I32 to I40. */
function mayBeLost({ to }: WireText, exchange: WireExchange): boolean {
  if (exchange.api !== 'live')
    return !endedWell(exchange) && !saidOf([exchange], 'finish').some(({ reason }) => reason === 'MAX_TOKENS')
  if (exchange.close?.by !== 'server' && !exchange.cut) return false
  const ends = exchange.said.filter(
    ({ kind }) => kind === 'turn-complete' || kind === 'interrupted' || kind === 'go-away',
  )
  return ends.every(({ at }) => at < to)
}

function missingOrTwice(
  runs: readonly { readonly text: WireText; readonly optional: boolean }[],
  stored: string,
  what: string,
): readonly Finding[] {
  const findings: Finding[] = []
  let cursor = 0
  for (const { text: run, optional } of runs) {
    const at = stored.indexOf(run.text, cursor)
    if (at === cursor) {
      cursor += run.text.length
      continue
    }
    const after = afterPieces(run, stored, cursor)
    if (at === -1 && !optional) findings.push(missing(run, stored.slice(cursor, after), stored, what))
    if (at === -1 || optional) {
      cursor = after
      continue
    }
    findings.push(extra(stored.slice(cursor, at), runs, what))
    cursor = at + run.text.length
  }
  // Where something is missing, what is left is a rest of it more often than not, and has been said.
  if (cursor < stored.length && findings.length === 0) findings.push(extra(stored.slice(cursor), runs, what))
  return findings
}

function missing({ text }: WireText, found: string, stored: string, what: string): Finding {
  const has =
    found === ''
      ? `not in the session, which has ${shown(stored)}`
      : `in the session as ${shown(found)} alone`
  return `the ${what} ${shown(text)} is on the wire, and ${has}`
}

/** Where the pieces that are there end. */
function afterPieces({ chunks }: WireText, stored: string, cursor: number): number {
  return chunks.reduce(
    (after, { text }) => (stored.startsWith(text, after) ? after + text.length : after),
    cursor,
  )
}

function extra(text: string, runs: readonly { readonly text: WireText }[], what: string): Finding {
  const known = runs.some(run => run.text.text.includes(text) || text.includes(run.text.text))
  return known
    ? `the ${what} ${shown(text)} is in the session more often than on the wire`
    : `the ${what} ${shown(text)} is in the session, and not on the wire`
}

/** Of a runtime that stores nothing, what it hands out is judged. */
const thoughtsApart: Invariant = {
  number: 'I3',
  says: 'Thoughts and text never share a part, and come in the order of the wire.',
  judge(run) {
    const texts = wireTexts(played(run))
    if (!texts.some(({ thought }) => thought)) return undefined
    const parts = partsIn(kept(run))
    const all = (kind: TextKind): readonly string[] =>
      texts.filter(text => kindOf(text) === kind).map(({ text }) => text)
    const mixed = parts.flatMap((part): readonly Finding[] => {
      const { text = '' } = part
      const own = kindOf(part)
      const other = own === 'text' ? 'thought' : 'text'
      if (text === '' || all(own).join('').includes(text)) return []
      const foreign = all(other).find(piece => piece !== '' && (text.includes(piece) || piece.includes(text)))
      if (foreign === undefined) return []
      return [`${shown(foreign)} is ${other} on the wire, and is in a part of ${own}: ${shown(text)}`]
    })
    const kinds = runsOf(parts.filter(({ text }) => text).map(kindOf))
    const wire = runsOf(texts.filter(({ text }) => text !== '').map(kindOf))
    if (mixed.length > 0 || isWithin(kinds, wire)) return mixed
    return [`the wire has ${wire.join(', ')}, and the session has ${kinds.join(', ')}`]
  },
}

function runsOf(kinds: readonly TextKind[]): readonly TextKind[] {
  return kinds.filter((kind, index) => kind !== kinds[index - 1])
}

/** True if all of these come in the other list in this order, whatever comes between. */
function isWithin(some: readonly TextKind[], all: readonly TextKind[]): boolean {
  let from = 0
  return some.every(kind => {
    const at = all.indexOf(kind, from)
    from = at + 1
    return at !== -1
  })
}

/** All of them. */
export const TEXT: readonly Invariant[] = [wholeAfterPartial, storedOnce, thoughtsApart]
