/** The cases of Interactions: texts, calls, chains of turns, and streams that end in another way than well. */
import {
  args,
  call,
  cassette,
  completed,
  created,
  data,
  end,
  error,
  events,
  fields,
  statusUpdate,
  step,
  thought,
  usage,
  type CassetteBuilder,
  type EndItem,
  type InteractionItem,
} from '../../../src/build/entry.ts'
import { renderCassette } from '../../../src/cassette/render.ts'

const MOMENT = '2026-10-05T09:00:00Z'
const MOMENTS = { created: MOMENT, updated: MOMENT }
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const PLAIN = { model: 'gemini-3.6-flash', system_instruction: 'Be brief.' }
const WITH_WEATHER = { ...PLAIN, tools: [WEATHER] }
const SUMMARIES = { ...WITH_WEATHER, generation_config: { thinking_summaries: 'auto' } }

const says = (text: string): object => ({ type: 'user_input', content: [{ type: 'text', text }] })
const gives = (id: string): object => ({
  type: 'function_result',
  call_id: id,
  name: 'get_weather',
  result: { sky: 'clear' },
})
const weather = (city: string, id: string) => call('get_weather', { city }, { id })
const paris = weather('Paris', 'call_1')
const rome = weather('Rome', 'call_2')

/** One request: what it sends, what is answered, and the interaction that the next one builds on. */
interface Turn {
  readonly input: readonly object[]
  readonly answer: readonly (InteractionItem | EndItem)[]
  /** The number of the interaction that it builds on; the one before unless given. */
  readonly after?: number
}

function frame(number: number): readonly InteractionItem[] {
  return [
    fields({ id: `int_${number}` }),
    events({ ids: `int_${number}-e`, keys: 'type-first' }),
    usage({ total_input_tokens: 24, total_output_tokens: 6, total_tokens: 30 }),
  ]
}

/** A conversation. The first request is matched by its body, the others by their route: they are what runtimes differ in. */
function talk(config: object, how: 'streamed' | 'unary', turns: readonly Turn[]): () => CassetteBuilder {
  return () =>
    turns.reduce((tape, { input, answer, after }, index) => {
      const before = after ?? index
      const previous = before === 0 ? {} : { previous_interaction_id: `int_${before}` }
      const asks = { ...config, stream: how === 'streamed', ...previous }
      const asked = tape.interaction(asks, input, index === 0 ? {} : { match: 'route' })
      if (how === 'unary') return asked.answers(...frame(index + 1), fields(MOMENTS), ...answer)
      const begins = [created({ created: MOMENT }), ...frame(index + 1)]
      return asked.streams(...begins, ...(isWhole(answer) ? [...answer, completed(MOMENTS)] : answer))
    }, cassette())
}

/** True unless it says itself how it ends. */
function isWhole(answer: Turn['answer']): boolean {
  const last = answer.at(-1)
  if (typeof last !== 'object') return true
  return !(
    last.type === 'end' ||
    last.type === 'error' ||
    (last.type === 'mark' && last.mark === 'completed')
  )
}

const question: readonly object[] = [says('What is the weather in Paris?')]
const both: readonly object[] = [says('What is the weather in Paris and Rome?')]
const sky = 'The sky is clear.'
const clear: Turn = { input: [gives('call_1')], answer: [sky] }
const clearInBoth: Turn = { input: [gives('call_1'), gives('call_2')], answer: ['Clear in both.'] }
const greets: readonly object[] = [says('Greet me.')]
const pieces = ['Good', ' morn', 'ing.']
const thanks: Turn = { input: [says('Thanks.')], answer: ['Any time.'] }
const endsAs = (status: string): InteractionItem => completed({ status, ...MOMENTS })

/** A stream as it would be without what ends each of them. The builder can't leave that out: it is never right. */
function withoutCompleted(make: () => CassetteBuilder): () => Pick<CassetteBuilder, 'build' | 'render'> {
  return () => {
    const tape = make().build()
    const documents = tape.documents.map(document => {
      if (document.type === 'header') return document
      const { response, ...rest } = document.exchange
      const sent = response?.events?.filter(({ event }) => event !== 'interaction.completed')
      return { ...document, exchange: { ...rest, response: response && { ...response, events: sent } } }
    })
    return { build: () => ({ ...tape, documents }), render: () => renderCassette(documents) }
  }
}

const CASES: Readonly<Record<string, () => Pick<CassetteBuilder, 'build' | 'render'>>> = {
  'text-streamed': talk(PLAIN, 'streamed', [{ input: greets, answer: pieces }, thanks]),
  'text-unary': talk(PLAIN, 'unary', [{ input: greets, answer: ['Good morning.'] }, thanks]),
  'text-in-step-start': talk(PLAIN, 'streamed', [
    {
      input: greets,
      answer: [step.start(0, 'Good'), step.delta(0, ' morn'), step.delta(0, 'ing.'), step.stop(0)],
    },
    thanks,
  ]),
  'two-outputs': talk(PLAIN, 'streamed', [
    {
      input: greets,
      answer: [
        step.start(0, ''),
        step.delta(0, 'Good morning.'),
        step.stop(0),
        step.start(1, ''),
        step.delta(1, 'Did you sleep well?'),
        step.stop(1),
      ],
    },
    thanks,
  ]),
  'three-turns': talk(PLAIN, 'streamed', [
    { input: greets, answer: pieces },
    { input: [says('And you?')], answer: ['I am', ' well.'] },
    thanks,
  ]),

  'call-streamed': talk(WITH_WEATHER, 'streamed', [{ input: question, answer: [paris] }, clear]),
  'call-unary': talk(WITH_WEATHER, 'unary', [{ input: question, answer: [paris] }, clear]),
  'call-with-status-update': talk(WITH_WEATHER, 'streamed', [
    { input: question, answer: [statusUpdate(), paris, statusUpdate('requires_action')] },
    clear,
  ]),
  'call-after-text': talk(WITH_WEATHER, 'streamed', [
    { input: question, answer: ['Let me', ' look.', paris] },
    clear,
  ]),
  'call-without-arguments': talk(WITH_WEATHER, 'streamed', [
    { input: question, answer: [step.start(0, call('get_weather', {}, { id: 'call_1' })), step.stop(0)] },
    clear,
  ]),
  'call-arguments-in-pieces': talk(WITH_WEATHER, 'streamed', [
    {
      input: [says('What is the weather in São Paulo?')],
      answer: [
        step.start(0, call('get_weather', {}, { id: 'call_1' })),
        step.delta(0, args('{"city":"S\\u00')),
        step.delta(0, args('e3o P')),
        step.delta(0, args('aulo"}')),
        step.stop(0),
      ],
    },
    clear,
  ]),
  'two-calls-streamed': talk(WITH_WEATHER, 'streamed', [{ input: both, answer: [paris, rome] }, clearInBoth]),
  'two-calls-unary': talk(WITH_WEATHER, 'unary', [{ input: both, answer: [paris, rome] }, clearInBoth]),
  'call-after-call': talk(WITH_WEATHER, 'streamed', [
    { input: both, answer: [paris] },
    { input: [gives('call_1')], answer: [rome] },
    { input: [gives('call_2')], answer: ['Clear in both.'] },
  ]),

  'thought-unsigned-streamed': talk(SUMMARIES, 'streamed', [
    { input: question, answer: [thought('I should call the tool.'), paris] },
    clear,
  ]),
  'thought-unsigned-unary': talk(SUMMARIES, 'unary', [
    { input: question, answer: [thought('I should call the tool.', { signature: '' }), paris] },
    clear,
  ]),

  ...Object.fromEntries(
    ['failed', 'cancelled', 'incomplete', 'budget_exceeded'].map(status => [
      `${status.replace('_', '-')}-streamed`,
      talk(PLAIN, 'streamed', [{ input: greets, answer: ['Good', endsAs(status)] }]),
    ]),
  ),
  'failed-unary': talk(PLAIN, 'unary', [
    {
      input: greets,
      answer: [
        fields({ status: 'failed', errors: [{ code: 'internal_error', message: 'Something went wrong.' }] }),
        'Good',
      ],
    },
  ]),
  'turn-after-failure': talk(PLAIN, 'streamed', [
    { input: greets, answer: pieces },
    { input: [says('And you?')], answer: ['I am', endsAs('failed')] },
    { ...thanks, after: 1 },
  ]),
  'error-in-mid-stream': talk(PLAIN, 'streamed', [{ input: greets, answer: ['Good', error(503)] }]),
  'without-completed': withoutCompleted(
    talk(PLAIN, 'streamed', [
      { input: greets, answer: [statusUpdate(), ...pieces, statusUpdate('completed')] },
    ]),
  ),
  'cut-in-mid-stream': talk(PLAIN, 'streamed', [
    { input: greets, answer: ['Good', ' morn', end({ how: 'upstream-reset' })] },
  ]),
  'unknown-event': talk(PLAIN, 'streamed', [
    {
      input: greets,
      answer: [
        step.start(0, ''),
        step.delta(0, 'Good'),
        data(
          { event_type: 'interaction.heartbeat', interaction_id: 'int_1' },
          { event: 'interaction.heartbeat' },
        ),
        step.delta(0, ' morning.'),
        step.stop(0),
      ],
    },
  ]),
}

export const INTERACTION_CASES: typeof CASES = Object.fromEntries(
  Object.entries(CASES).map(([name, make]) => [`cases/interactions-${name}`, make]),
)
