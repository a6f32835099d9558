/**
 * What a streamed interaction never looks like: its order, its steps, its marks.
 *
 * Source: js-genai `gaos/models/interactions/*` and ai.google.dev; no raw recording is public.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { answeredTexts, answers, isInteractionStream, type Check, type Objection } from './check.ts'
import { wordOf, type Trace } from './trace.ts'

/** The events of today, of js-genai 1.33 to 1.52, and one that only the docs name. */
const EVENT_TYPES: ReadonlySet<JsonValue> = new Set([
  'interaction.created',
  'interaction.status_update',
  'interaction.in_progress',
  'step.start',
  'step.delta',
  'step.stop',
  'interaction.completed',
  'error',
  'interaction.start',
  'content.start',
  'content.delta',
  'content.stop',
  'interaction.complete',
])

const STATUSES: ReadonlySet<JsonValue> = new Set([
  'in_progress',
  'requires_action',
  'completed',
  'failed',
  'cancelled',
  'incomplete',
  'budget_exceeded',
  'queued',
])

/** One event. */
interface Event {
  readonly number: number | undefined
  readonly name: string | undefined
  readonly type: JsonValue | undefined
  /** As it came: Interactions have snake_case alone. */
  readonly value: { readonly [key: string]: JsonValue }
}

const NONE: readonly Objection[] = []

function ofStreams(
  name: string,
  objections: (events: readonly Event[], trace: Trace) => readonly Objection[],
): Check {
  return {
    name,
    objections: trace => (isInteractionStream(trace) ? objections(eventsOf(trace), trace) : NONE),
  }
}

function eventsOf(trace: Trace): readonly Event[] {
  return trace.said.flatMap(({ from, number, content, lines }) => {
    if (from !== 'server' || content?.type !== 'json' || !isJsonObject(content.value)) return []
    return [{ number, name: lines['event'], type: content.value['event_type'], value: content.value }]
  })
}

function isEnd({ type }: Event): boolean {
  return type === 'interaction.completed' || type === 'interaction.complete' || type === 'error'
}

const doneMissing = ofStreams('interactions-done-missing', (_events, trace) => {
  if (trace.ended !== undefined) return NONE
  const done = answeredTexts(trace).some(({ text }) => text === '[DONE]')
  return done ? NONE : [{ message: 'the stream ends well, but without `[DONE]`' }]
})

const completedMissing = ofStreams('interactions-completed-missing', (events, trace) =>
  trace.ended !== undefined || events.some(isEnd)
    ? NONE
    : [{ message: 'the stream ends well, but without `interaction.completed` or an error' }],
)

const createdFirst = ofStreams('interactions-created-first', ([first], trace) => {
  // A stream that is taken up again begins anywhere.
  if (first === undefined || trace.method !== 'POST') return NONE
  if (['interaction.created', 'interaction.start', 'error'].includes(wordOf(first.type))) return NONE
  return [
    {
      number: first.number,
      message: `the stream begins with \`${wordOf(first.type)}\`, not with \`interaction.created\``,
    },
  ]
})

/** Runs over the steps and tells what happens to each. */
function steps(
  events: readonly Event[],
  object: (event: Event, what: string, index: number, state: 'open' | 'closed') => string | undefined,
): { readonly objections: readonly Objection[]; readonly open: ReadonlyMap<number, Event> } {
  const open = new Map<number, Event>()
  const objections = events.flatMap(event => {
    const [, what = ''] = /^(?:step|content)\.(start|delta|stop)$/.exec(wordOf(event.type)) ?? []
    const index = event.value['index']
    if (what === '' || typeof index !== 'number') return NONE
    const message = object(event, what, index, open.has(index) ? 'open' : 'closed')
    if (what === 'start') open.set(index, event)
    if (what === 'stop') open.delete(index)
    return message === undefined ? NONE : [{ number: event.number, message }]
  })
  return { objections, open }
}

const stepNotStarted = ofStreams(
  'step-not-started',
  (events, trace) =>
    steps(events, ({ type }, what, index, state) => {
      if (trace.method !== 'POST' || what === 'start' || state === 'open') return undefined
      return `\`${wordOf(type)}\` for step ${index}, which is not started`
    }).objections,
)

const stepNotStopped = ofStreams('step-not-stopped', (events, trace) => {
  if (trace.ended !== undefined || events.some(({ type }) => type === 'error')) return NONE
  return [...steps(events, () => undefined).open].map(([index, { number }]) => ({
    number,
    message: `step ${index} is started and never stopped`,
  }))
})

const argumentsNotJson = ofStreams('arguments-not-json', events => {
  const pieces = new Map<number, string>()
  return events.flatMap(({ number, type, value }) => {
    const { index, delta } = value
    if (typeof index !== 'number') return NONE
    if (isJsonObject(delta) && delta['type'] === 'arguments_delta') {
      pieces.set(index, (pieces.get(index) ?? '') + wordOf(delta['arguments']))
    }
    const text = pieces.get(index)
    if (type !== 'step.stop' || text === undefined || isJsonText(text)) return NONE
    return [{ number, message: `the \`arguments_delta\`s of step ${index} together are no JSON object` }]
  })
})

function isJsonText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const eventNameMismatch = ofStreams('event-name-mismatch', events =>
  events.flatMap(({ number, name, type }) =>
    name === undefined || type === undefined || name === type
      ? NONE
      : [{ number, message: `\`event: ${name}\` with the \`event_type\` \`${wordOf(type)}\`` }],
  ),
)

const eventTypeUnknown = ofStreams('event-type-unknown', events =>
  events.flatMap(({ number, type }) => {
    if (type !== undefined && EVENT_TYPES.has(type)) return NONE
    return [
      {
        number,
        message:
          type === undefined
            ? 'an event without `event_type`'
            : `\`event_type\` is ${JSON.stringify(type)}, which is none`,
      },
    ]
  }),
)

const statusUnknown: Check = {
  name: 'interaction-status-unknown',
  objections(trace) {
    if (trace.dialect !== 'interactions') return NONE
    return answers(trace).flatMap(({ number, value }) => {
      const { interaction, status } = value
      const said = isJsonObject(interaction) ? interaction['status'] : status
      if (said === undefined || value['error'] !== undefined || STATUSES.has(said)) return NONE
      return [{ number, message: `\`status\` is ${JSON.stringify(said)}, which is none` }]
    })
  },
}

/** All of them, in the order of `docs/lint.md`. */
export const INTERACTION_CHECKS: readonly Check[] = [
  createdFirst,
  completedMissing,
  doneMissing,
  eventTypeUnknown,
  eventNameMismatch,
  stepNotStarted,
  stepNotStopped,
  argumentsNotJson,
  statusUnknown,
]
