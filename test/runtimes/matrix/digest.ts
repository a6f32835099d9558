/**
 * Transcripts of the founding case of Live in a line each, for `docs/cases/run-live.md`: what was streamed, what is
 * stored, and what the next connection was told of it.
 */
import type { JsonObject } from '../../../src/wire/json.ts'
import type { Event, Part, Received } from '../invariants/run.ts'
import { camelCased, record, records } from '../json.ts'
import { table } from './markdown.ts'
import { wordsOf } from './page-matrix.ts'
import type { Result } from './play.ts'
import { labelOf } from './registry.ts'

/** A table of one runtime's. `beginning`: what the names of the cassettes have in common. */
function digestTable(all: readonly Result[], beginning: string): string {
  const rows = all.map(({ cell, outcome }) => {
    const { transcript } = outcome
    const name = `[\`${cell.name.slice(beginning.length)}\`](../../cassettes/cases/${cell.name}.cassette.yaml)`
    const breaks = cell.marks.length === 0 ? '' : wordsOf(cell.marks)
    if (transcript === undefined) return [name, '—', '—', '—', breaks]
    const [first] = transcript.turns
    const error = first?.error ?? null
    const raised = error === null ? [] : [`raised ${error.code ?? error.type}`]
    const streamed = [...(first?.events ?? []).map(eventWords), ...raised]
    return [
      name,
      joined(streamed),
      joined(firstTurnOf(transcript.session ?? []).map(eventWords)),
      joined(historyIn(outcome.received).map(contentWords)),
      breaks,
    ]
  })
  return table(['`…`', 'streams', 'stores', "the next connection's history", 'breaks'], rows)
}

/** The tables of several runtimes, each under its label. */
export function digestTables(all: readonly Result[], beginning: string): string {
  const labels = [...new Set(all.map(({ cell }) => labelOf(cell.runtime)))]
  return labels
    .map(label => {
      const own = all.filter(({ cell }) => labelOf(cell.runtime) === label)
      return `### ${label}\n\n${digestTable(own, beginning)}`
    })
    .join('\n\n')
}

function joined(words: readonly string[]): string {
  return words.filter(Boolean).join(', ') || 'nothing'
}

/** An event in few words: what is partial is in italics with an ellipsis. */
function eventWords(event: Event): string {
  const who = event.author === 'user' ? 'user: ' : ''
  const said = event.parts
    .map(part => partWords(part, event.partial === true ? 'partial' : 'whole'))
    .filter(Boolean)
  const marks = [
    ...(event.interrupted === true ? ['`interrupted`'] : []),
    ...(event.turnComplete === true ? ['TC'] : []),
    ...(event.errorCode === undefined ? [] : [`error ${event.errorCode}`]),
    ...heard(event),
  ]
  return said.length === 0 ? marks.join(' with ') : [`${who}${said.join(' + ')}`, ...marks].join(' with ')
}

function heard({ inputTranscription, outputTranscription }: Event): readonly string[] {
  const both = [
    { name: 'heard', one: inputTranscription },
    { name: 'spoken', one: outputTranscription },
  ]
  return both.flatMap(({ name, one }) =>
    one === undefined ? [] : [`${name} “${(one.text ?? '').trim()}${one.finished === true ? '”' : '…”'}`],
  )
}

function partWords(part: Part, how: 'partial' | 'whole'): string {
  const { text, thought, functionCall, functionResponse, inlineData, executableCode, codeExecutionResult } =
    part
  const pieces = [
    ...(text === undefined ? [] : [textWords(text, thought === true ? 'thought ' : '', how)]),
    ...(functionCall === undefined ? [] : [`call ${functionCall.id ?? functionCall.name ?? ''}`]),
    ...(functionResponse === undefined
      ? []
      : [`response ${functionResponse.id ?? functionResponse.name ?? ''}`]),
    ...(inlineData === undefined ? [] : ['sound']),
    ...(executableCode === undefined ? [] : ['code']),
    ...(codeExecutionResult === undefined ? [] : ['outcome']),
  ]
  return pieces.join(' ')
}

function textWords(text: string, kind: string, how: 'partial' | 'whole'): string {
  const said =
    text.trim() === '' ? 'an empty text' : text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  return how === 'partial' ? `*${kind}${said}…*` : `${kind}${said}`
}

/** What the user says on the next connection, and what the service answers there; the same in all these cassettes. */
const NEXT = ['Thanks.', 'Any time.']

/** What is stored of the first connection. Not every runtime stores what the user typed. */
function firstTurnOf(session: readonly Event[]): readonly Event[] {
  const end = session.findIndex(({ parts }) => parts.some(({ text = '' }) => NEXT.includes(text)))
  return end === -1 ? session : session.slice(0, end)
}

/** The contents that the second connection sends before the user's new turn. */
function historyIn(received: readonly Received[]): readonly JsonObject[] {
  const contents = received
    .filter(({ exchange }) => exchange === 2)
    .flatMap(({ message }) => records(record(record(camelCased(message ?? {}))['clientContent'])['turns']))
  return contents.filter(({ parts }) => !records(parts).some(({ text }) => text === NEXT[0]))
}

function contentWords({ role, parts }: JsonObject): string {
  const said = (records(parts) as readonly Part[]).map(part => partWords(part, 'whole')).join(' + ')
  return role === 'user' ? `user: ${said}` : said
}
