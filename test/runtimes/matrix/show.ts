/** One run, or some, for whoever wants to look: the transcript, and what each invariant says of it. */
import type { JsonObject, JsonValue } from '../../../src/wire/json.ts'
import type { Event, Part } from '../invariants/run.ts'
import { ROOT } from './command.ts'
import type { Cell } from './cell.ts'
import { sentenceOf } from './expectations.ts'
import { record } from '../json.ts'
import { labelOf } from './registry.ts'
import type { Outcome } from './run-one.ts'

/** A run as text. */
export function shown(cell: Cell, outcome: Outcome): string {
  const { transcript } = outcome
  const seen =
    transcript === undefined
      ? [cell.said]
      : [
          ...transcript.turns.flatMap(({ events, error }, index) => [
            `turn ${index + 1}`,
            ...events.map(event => `  ${eventText(event)}`),
            ...(error === null ? [] : [`  raised ${error.type}: ${error.message}`]),
          ]),
          'session',
          ...(transcript.session ?? []).map(event => `  ${eventText(event)}`),
          ...(transcript.session === null ? ['  (it stores nothing)'] : []),
          'tools that ran',
          ...transcript.toolRuns.map(({ name, args }) => `  ${name} ${JSON.stringify(args)}`),
        ]
  return [
    `${labelOf(cell.runtime)} on ${cell.name}`,
    '',
    ...seen,
    ...sentText(outcome),
    ...replayText(outcome),
    '',
    ...judgement(cell),
  ]
    .join('\n')
    .replaceAll(`${ROOT}/`, '')
}

/** An event in a line. */
function eventText(event: Event): string {
  const marks = (['partial', 'interrupted', 'turnComplete'] as const).filter(mark => event[mark] === true)
  const facts = [event.finishReason, event.errorCode, event.errorMessage].filter(Boolean)
  const heard = [event.inputTranscription, event.outputTranscription].map(one =>
    one === undefined ? '' : `(${one.text ?? ''}${one.finished === true ? ', finished' : ''})`,
  )
  return [event.author, ...marks, ...facts, ...event.parts.map(partText), ...heard].filter(Boolean).join(' ')
}

function partText(part: Part): string {
  const { text, thought, thoughtSignature, ...rest } = part
  const words = [
    text === undefined ? '' : `${thought === true ? 'thought ' : ''}${JSON.stringify(text)}`,
    Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
    thoughtSignature === undefined ? '' : `signed ${thoughtSignature}`,
  ]
  return words.filter(Boolean).join(' ')
}

/** What of a request or a setup is conversation; the instructions and tools around it are in `--json`. */
const CONVERSATION = ['contents', 'input', 'previous_interaction_id', 'sessionResumption']

/** What the runtime sent, in the order in which it came. */
function sentText({ received }: Outcome): readonly string[] {
  const lines = received.map(({ exchange, body, message }) => {
    const { setup } = record(message)
    const said =
      message === undefined ? picked(body) : setup === undefined ? message : { setup: picked(setup) }
    return `  ${exchange ?? 'refused'}: ${JSON.stringify(said)}`
  })
  return ['what it sent, by exchange', ...lines]
}

function picked(body: JsonValue | undefined): JsonObject {
  return Object.fromEntries(Object.entries(record(body)).filter(([key]) => CONVERSATION.includes(key)))
}

function replayText({ failures, leftovers, notes }: Outcome): readonly string[] {
  const lines = [
    ...failures.map(({ code, message }) => `  ${code}: ${message.replaceAll('\n', '\n    ')}`),
    ...leftovers.map(({ message }) => `  left: ${message}`),
    ...notes.map(note => `  note: ${note}`),
  ]
  return lines.length === 0 ? [] : ['what the replay says', ...lines]
}

/** What each invariant says that applies. */
function judgement({ marks, verdicts }: Cell): readonly string[] {
  const lines = verdicts.flatMap(({ number, outcome, findings }) => [
    `${outcome === 'broken' ? 'BROKEN' : 'holds '} ${number}: ${sentenceOf(number)}`,
    ...findings.map(finding => `       ${finding}`),
  ])
  return verdicts.length === 0 ? [marks.join(' ')] : lines
}
