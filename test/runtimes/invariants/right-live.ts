/** The Live half of a right client. */
import { shallow } from '../../../src/dialect/live-fold.ts'
import { partsOf } from './fold.ts'
import type { WirePart } from './wire-parts.ts'
import { AGENT, partOf, responseTo, runTool, store, type Story } from './right-client.ts'
import type { Event, Scenario, Transcription } from './run.ts'
import type { Said } from './said.ts'
import { handleIn, sentParts } from './sent.ts'
import { saidOf } from './view.ts'
import type { WireExchange } from './wire.ts'

/** Lives through every connection of a cassette. One that has a handle goes on with the one before. */
export function rightLive(wire: readonly WireExchange[], scenario: Scenario, story: Story): void {
  wire.forEach((exchange, index) => {
    const resumes = handleOf(exchange) !== undefined
    if (!resumes || story.turns.length === 0) story.turns.push({ events: [], error: null })
    connection(exchange, scenario, story)
    const next = wire[index + 1]
    const error = next !== undefined && handleOf(next) !== undefined ? undefined : closeError(exchange)
    const turn = story.turns.at(-1)
    if (turn !== undefined && error !== undefined) turn.error = error
  })
}

function handleOf({ asked }: WireExchange): string | undefined {
  return handleIn(asked[0]?.message['setup'])
}

/** Who hangs up in mid-turn is told of, whatever they call it. */
function closeError(exchange: WireExchange): { type: string; message: string; code: number } | undefined {
  const { close, cut, asked, said } = exchange
  const code = cut ? 1006 : close?.by === 'server' ? (close.code ?? 1005) : undefined
  const over = saidOf([exchange], 'turn-complete').at(-1)?.at ?? 0
  const isPending = (said.at(-1)?.at ?? 0) > over || asked.some(({ at }) => at > Math.max(over, 1))
  if (code === undefined || (code === 1000 && !isPending)) return undefined
  return { type: 'Closed', message: close?.reason ?? '', code }
}

function connection(exchange: WireExchange, scenario: Scenario, story: Story): void {
  const parts = partsOf(exchange)
  const heard = { input: '', output: '' }
  const stored = new Set<WirePart>()
  const messages = [
    ...exchange.asked.map(({ at, message }) => ({ at, tell: () => speak(message, exchange, story) })),
    ...exchange.said.map((saying, index) => ({
      at: saying.at,
      tell() {
        listen(saying, story, heard)
        for (const part of parts) {
          if (stored.has(part) || !isOver(part, exchange.said, index)) continue
          stored.add(part)
          if (part.kind !== 'media') keep(part, saying, exchange, scenario, story)
        }
        mark(saying, story, heard, parts)
      },
    })),
  ]
  for (const { tell } of messages.toSorted((one, other) => one.at - other.at)) tell()
  // What is pending when the service hangs up is stored too: it was said.
  for (const part of parts)
    if (!stored.has(part) && part.kind !== 'media') store({ author: AGENT, parts: [partOf(part)] }, story)
}

/** Sends what was sent on the recording; what is new in it, the session has too. */
function speak(
  message: WireExchange['asked'][number]['message'],
  { number }: WireExchange,
  story: Story,
): void {
  const received = { exchange: number, operation: 'BidiGenerateContent', message, socket: number }
  story.received.push(received)
  const parts = sentParts(received)
  // What comes before the new turn is history: the session has it.
  const { turnComplete } = shallow(message['clientContent'])
  if (turnComplete === false || parts.some(({ role }) => role === 'model')) return
  for (const { kind, text, id, name = '' } of parts) {
    if (kind === 'response') store(responseTo({ id, name }), story)
    else if (kind === 'text') story.session.push({ author: 'user', parts: [{ text }] })
  }
}

/** What is handed out at once. */
function listen(saying: Said, { turns }: Story, heard: Record<'input' | 'output', string>): void {
  const events = turns.at(-1)?.events
  if (saying.kind === 'text' && saying.text !== '') {
    const part = { text: saying.text, ...(saying.thought ? { thought: true } : {}) }
    events?.push({ author: AGENT, partial: true, parts: [part] })
  }
  if (saying.kind === 'media')
    events?.push({
      author: AGENT,
      partial: true,
      parts: [{ inlineData: { mimeType: saying.mimeType, bytes: saying.bytes } }],
    })
  if (saying.kind === 'transcription') {
    heard[saying.whose] += saying.text
    events?.push({
      author: AGENT,
      partial: true,
      parts: [],
      ...transcribed(saying.whose, { text: saying.text, finished: false }),
    })
  }
}

function transcribed(whose: 'input' | 'output', said: Transcription): Partial<Event> {
  return { [whose === 'input' ? 'inputTranscription' : 'outputTranscription']: said }
}

/** What lies between the pieces of a text and does not end it. */
const BESIDE: ReadonlySet<Said['kind']> = new Set(['media', 'transcription', 'usage', 'handle', 'unknown'])

/** True if the part is whole once this has been said: a call and code at once, a text when something else follows. */
function isOver({ kind, to }: WirePart, said: readonly Said[], index: number): boolean {
  const saying = said[index]
  if (saying === undefined || saying.at < to) return false
  if (kind !== 'text') return saying.kind === kind
  return saying.at > to ? !BESIDE.has(saying.kind) : saying.kind !== 'text' && !BESIDE.has(saying.kind)
}

function keep(part: WirePart, saying: Said, exchange: WireExchange, { tools }: Scenario, story: Story): void {
  const cut = part.kind === 'text' && saying.kind === 'interrupted'
  store({ author: AGENT, parts: [partOf(part)], ...(cut ? { interrupted: true } : {}) }, story)
  if (part.kind !== 'call' || !tools.some(({ name }) => name === part.name)) return
  const cancelled = saidOf([exchange], 'cancelled').some(
    ({ ids }) => part.id !== undefined && ids.includes(part.id),
  )
  if (!cancelled) runTool(part, story)
}

/** The marks, each in an event of its own, but for the interruption of a text, which the text has. */
function mark(
  saying: Said,
  story: Story,
  heard: Record<'input' | 'output', string>,
  parts: readonly WirePart[],
): void {
  for (const whose of ['input', 'output'] as const) {
    const ends =
      saying.kind === 'transcription'
        ? saying.whose === whose && saying.finished
        : /^(?:interrupted|generation-complete|turn-complete)$/.test(saying.kind)
    if (!ends || heard[whose] === '') continue
    store({ author: AGENT, parts: [], ...transcribed(whose, { text: heard[whose], finished: true }) }, story)
    heard[whose] = ''
  }
  const last = story.session.at(-1)
  if (saying.kind === 'interrupted' && !(last?.interrupted && parts.some(({ to }) => to <= saying.at)))
    store({ author: AGENT, interrupted: true, parts: [] }, story)
  if (saying.kind === 'turn-complete') store({ author: AGENT, turnComplete: true, parts: [] }, story)
  if (saying.kind === 'usage')
    story.turns.at(-1)?.events.push({ author: AGENT, parts: [], usage: saying.usage })
}
