/** Live: marks, transcriptions, order (I22 to I25). */
import type { WirePart } from './wire-parts.ts'
import type { Finding, Invariant, Part, Run } from './run.ts'
import { fromModel, isSdk, partsIn, played, saidOf, sameArgs, seen, wireParts, wireTexts } from './view.ts'
import type { WireExchange } from './wire.ts'
import { listed, partLabel, shown, times } from './words.ts'

/** On the text itself, or in an event of its own after it: both can be told apart from a text that was not cut. */
const interruptedOnce: Invariant = {
  number: 'I22',
  says: 'An interruption is told exactly once, on the text that it cuts or after it.',
  judge: run => markedOnce(run, 'interrupted', 'interrupted'),
}

/** A turn that the service ends twice is told twice. */
const turnCompleteOnce: Invariant = {
  number: 'I23',
  says: 'The end of a turn is told exactly once, after all that was said in the turn.',
  judge: run => markedOnce(run, 'turn-complete', 'turnComplete'),
}

/** Whether the events have a mark as often as it was said, and none of them before the text that it ends. */
function markedOnce(
  run: Run,
  kind: 'interrupted' | 'turn-complete',
  mark: 'interrupted' | 'turnComplete',
): readonly Finding[] | undefined {
  const exchanges = played(run)
  const wire = saidOf(exchanges, kind).length
  if (wire === 0) return undefined
  const events = seen(run)
  const marks = events.flatMap((event, index) => (event[mark] ? [index] : []))
  if (marks.length !== wire)
    return [`the wire has ${mark} ${times(wire)}, and ${marks.length} of the events have it`]
  const ended = exchanges.flatMap(({ said }, at) =>
    said.flatMap((saying, index) => (saying.kind === kind ? [textBefore(exchanges, at, index)] : [])),
  )
  return ended.flatMap((text, index) => tooEarly(text, events, marks[index] ?? 0, mark))
}

/** The text that was pending at this saying; empty where none was. */
function textBefore(exchanges: readonly WireExchange[], exchange: number, index: number): string {
  const own = exchanges[exchange]
  if (own === undefined) return ''
  return wireTexts([{ ...own, said: own.said.slice(0, index) }]).at(-1)?.text ?? ''
}

function tooEarly(
  text: string,
  events: Run['transcript']['turns'][number]['events'],
  at: number,
  what: string,
): readonly Finding[] {
  const all = (some: typeof events): string =>
    partsIn(some)
      .map(part => part.text ?? '')
      .join('')
  if (text === '' || all(events.slice(0, at + 1)).includes(text) || !all(events.slice(at + 1)).includes(text))
    return []
  return [`${what} is told before the text that it ends: ${shown(text)}`]
}

/** A client library hands out the pieces: there is nothing to put together, but nothing to lose either. */
const transcribedOnce: Invariant = {
  number: 'I24',
  says: 'A transcription comes whole exactly once, and what shares a message with it is not lost.',
  judge(run) {
    const exchanges = played(run)
    if (saidOf(exchanges, 'transcription').length === 0) return undefined
    const lost = sharedText(exchanges)
      .filter(
        text =>
          !partsIn(seen(run))
            .map(part => part.text ?? '')
            .join('')
            .includes(text),
      )
      .map(text => `${shown(text)} shares its message with a transcription, and no event has it`)
    if (isSdk(run.transcript)) return lost
    const whole = (['input', 'output'] as const).flatMap(whose => {
      const wire = exchanges.flatMap(exchange => utterances(exchange, whose))
      const told = seen(run).flatMap(event => {
        const transcription = whose === 'input' ? event.inputTranscription : event.outputTranscription
        return transcription?.finished === true && !event.partial ? [transcription.text ?? ''] : []
      })
      const texts = told.filter(text => text !== '')
      if (texts.join('\n') === wire.join('\n')) return []
      return [
        `the ${whose} transcriptions on the wire: ${listed(wire.map(shown))}; the finished ones of the events: ${listed(texts.map(shown))}`,
      ]
    })
    return [...lost, ...whole]
  },
}

function sharedText(exchanges: readonly WireExchange[]): readonly string[] {
  return exchanges.flatMap(({ said }) => {
    const messages = new Set(said.flatMap(({ kind, at }) => (kind === 'transcription' ? [at] : [])))
    return said.flatMap(saying =>
      saying.kind === 'text' && saying.text !== '' && messages.has(saying.at) ? [saying.text] : [],
    )
  })
}

/** What ends a transcription that nobody calls finished. */
const ENDS: ReadonlySet<string> = new Set(['interrupted', 'generation-complete', 'turn-complete'])

/** What was said on one side, piece by piece put together. What the service hung up on is left out. */
function utterances({ said }: WireExchange, whose: 'input' | 'output'): readonly string[] {
  const whole: string[] = []
  let text = ''
  for (const saying of said) {
    const own = saying.kind === 'transcription' && saying.whose === whose
    if (own) text += saying.text
    if (text === '' || !(ENDS.has(saying.kind) || (own && saying.finished))) continue
    whole.push(text)
    text = ''
  }
  return whole
}

/** Responses are not on the wire, so a runtime that holds them back is free to. */
const storedInOrder: Invariant = {
  number: 'I25',
  says: 'The session has text, calls and code in the order of the wire.',
  judge(run) {
    const { session } = run.transcript
    const wire = wireParts(played(run)).filter(
      part => part.kind !== 'media' && !(part.kind === 'text' && part.text === ''),
    )
    if (session === null || wire.length < 2) return undefined
    const parts = partsIn(fromModel(session))
    const taken = new Set<number>()
    let cursor = 0
    return wire.flatMap((part, index): readonly Finding[] => {
      const found = parts.findIndex((held, at) => at >= cursor && isPart(held, part))
      if (found !== -1) {
        cursor = found
        taken.add(found)
        return []
      }
      const earlier = parts.findIndex((held, at) => at < cursor && !taken.has(at) && isPart(held, part))
      const before = wire[index - 1]
      if (earlier === -1 || before === undefined) return []
      taken.add(earlier)
      return [`${partLabel(part)} comes after ${partLabel(before)} on the wire, and before it in the session`]
    })
  },
}

function isPart(held: Part, part: WirePart): boolean {
  switch (part.kind) {
    case 'text': {
      const { text = '', thought = false } = held
      return (
        text !== '' && thought === part.thought && (text.includes(part.text) || part.text.startsWith(text))
      )
    }
    case 'call': {
      const { id, name, args } = held.functionCall ?? {}
      if (held.functionCall === undefined) return false
      return id !== undefined && part.id !== undefined
        ? id === part.id
        : name === part.name && sameArgs(args, part.args)
    }
    case 'code':
      return held.executableCode !== undefined
    case 'outcome':
      return held.codeExecutionResult !== undefined
    case 'media':
      return held.inlineData !== undefined
  }
}

/** All of them. */
export const LIVE: readonly Invariant[] = [interruptedOnce, turnCompleteOnce, transcribedOnce, storedInOrder]
