/** The shipped cassettes of Interactions, built: a tool turn event by event, and the cases of the signature. */
import {
  args,
  call,
  cassette,
  completed,
  created,
  done,
  events,
  fields,
  joined,
  signature,
  statusUpdate,
  step,
  thought,
  usage,
  type CassetteBuilder,
  type InteractionItem,
} from '../../../src/build/entry.ts'
import { configIn } from './config.ts'

const SIGNATURE = 'Q2lRQiBhIG1hZGUtdXAgc2lnbmF0dXJlIGZvciBhIHN0ZXAgb2YgdGhvdWdodA=='
const LOOK_UP = 'The tide table has the answer, so I should look it up.'
const QUESTION = 'When is high tide in Whitby?'

const textOf = (text: string) => [{ type: 'text', text }]

/** Usage of the tool turn. */
function counted(input: number, output: number, thoughts: number) {
  return usage({
    total_tokens: input + output + thoughts,
    total_input_tokens: input,
    input_tokens_by_modality: [{ modality: 'text', tokens: input }],
    total_cached_tokens: 0,
    total_output_tokens: output,
    total_tool_use_tokens: 0,
    total_thought_tokens: thoughts,
  })
}

function toolTurn(): CassetteBuilder {
  const config = configIn('interactions-tool-turn', 1)
  const more = { headers: { accept: 'text/event-stream' } }
  const ends = (second: number) => ({
    created: `2026-11-30T10:12:0${second}Z`,
    updated: `2026-11-30T10:12:0${second === 4 ? 5 : second}Z`,
    service_tier: 'standard',
  })
  const begins = [fields({ id: '' }), created(), joined(statusUpdate())]
  return cassette({ base: 'https://generativelanguage.googleapis.com/v1' })
    .interaction(config, QUESTION, more)
    .streams(
      ...begins,
      step.start(0, thought('')),
      step.delta(0, thought(LOOK_UP)),
      step.delta(0, signature(SIGNATURE)),
      joined(step.stop(0)),
      step.start(1, call('get_tide', {}, { id: 't4d8r1vn' })),
      step.delta(1, args('{"harbour":')),
      step.delta(1, args('"Whitby"}')),
      step.stop(1),
      counted(52, 14, 52),
      completed(ends(4)),
      joined(done()),
    )
    .interaction(
      config,
      [
        { type: 'user_input', content: textOf(QUESTION) },
        { type: 'thought', signature: SIGNATURE, summary: textOf(LOOK_UP) },
        { type: 'function_call', id: 't4d8r1vn', name: 'get_tide', arguments: { harbour: 'Whitby' } },
        {
          type: 'function_result',
          call_id: 't4d8r1vn',
          name: 'get_tide',
          result: { time: '16:42', height_m: 5.4 },
        },
      ],
      more,
    )
    .streams(
      ...begins,
      'High tide in Whitby is at 16:42,',
      ' at 5.4 metres.',
      counted(118, 19, 0),
      completed(ends(6)),
      joined(done()),
    )
}

const MOMENT = '2026-10-05T09:00:00Z'

/** The frame of every answer in the cases of the signature: they have ids, and their type comes first. */
function frame(id: string): readonly InteractionItem[] {
  const counts =
    id === 'int_1'
      ? { total_input_tokens: 61, total_output_tokens: 18, total_thought_tokens: 24, total_tokens: 103 }
      : { total_input_tokens: 112, total_output_tokens: 6, total_tokens: 118 }
  return [fields({ id }), events({ ids: `${id}-e`, keys: 'type-first' }), usage(counts)]
}

function streamed(id: string, ...items: readonly InteractionItem[]): readonly InteractionItem[] {
  return [
    created({ created: MOMENT }),
    ...frame(id),
    ...items,
    completed({ created: MOMENT, updated: MOMENT }),
  ]
}

const remembered = (said: string | undefined, signed: string) => ({
  type: 'thought',
  signature: signed,
  ...(said === undefined ? {} : { summary: textOf(said) }),
})
const sunny = (id: string) => ({
  call_id: id,
  result: { weather: 'sunny' },
  is_error: false,
  name: 'get_weather',
  type: 'function_result',
})
const weather = (city = 'Paris', signed?: string) =>
  call('get_weather', { city }, { id: 'call_1', signature: signed })

/** A case: what the first answer says, and what the app sends back of it. */
function signatureCase(
  name: string,
  says: readonly InteractionItem[],
  back: readonly object[],
): [string, () => CassetteBuilder] {
  const file = `cases/interactions-signature-${name}`
  return [
    file,
    () =>
      cassette()
        .interaction(configIn(file, 1), [
          { content: textOf('What is the weather in Paris?'), type: 'user_input' },
        ])
        .streams(...streamed('int_1', ...says))
        .interaction(configIn(file, 2), [...back, sunny('call_1')], { match: 'route' })
        .streams(...streamed('int_2', 'It is ', 'sunny.')),
  ]
}

const CALL_TOOL = 'I should call the tool.'
const SIGNED = 'c2lnLWJ5dGVz'

export const INTERACTIONS: Readonly<Record<string, () => CassetteBuilder>> = {
  'interactions-tool-turn': toolTurn,

  ...Object.fromEntries([
    signatureCase(
      'streamed',
      [thought(CALL_TOOL, { signature: SIGNED }), weather()],
      [remembered(CALL_TOOL, SIGNED)],
    ),
    signatureCase(
      'inline-signature',
      [thought(CALL_TOOL, { signature: SIGNED, signed: 'start' }), weather()],
      [remembered(CALL_TOOL, SIGNED)],
    ),
    signatureCase(
      'signature-only',
      [thought('', { signature: SIGNED }), weather()],
      [remembered(undefined, SIGNED)],
    ),
    signatureCase('signed-call', [thought(CALL_TOOL), weather('Paris', SIGNED)], []),
    signatureCase(
      'two-thoughts',
      [
        thought('I need the weather.', { signature: 'c2lnLUE=' }),
        thought('The tool has it.', { signature: 'c2lnLUI=' }),
        weather(),
      ],
      [remembered('I need the weather.', 'c2lnLUE='), remembered('The tool has it.', 'c2lnLUI=')],
    ),
    signatureCase(
      'two-thoughts-one-summary',
      [
        thought('I need the weather.', { signature: 'c2lnLUE=' }),
        thought('', { signature: 'c2lnLUI=' }),
        weather(),
      ],
      [remembered('I need the weather.', 'c2lnLUE='), remembered(undefined, 'c2lnLUI=')],
    ),
  ]),

  'cases/interactions-signature-interleaved': () =>
    cassette()
      .interaction(configIn('cases/interactions-signature-interleaved', 1), [
        { content: textOf('What is the weather in Paris?'), type: 'user_input' },
      ])
      .streams(
        ...streamed(
          'int_1',
          step.start(0, thought('')),
          step.start(1, call('get_weather', {}, { id: 'call_1' })),
          step.delta(0, thought('I should call the tool twice.')),
          step.start(2, call('get_weather', {}, { id: 'call_2' })),
          step.delta(1, args('{"city":')),
          step.delta(2, args('{"city":')),
          step.delta(1, args('"Paris"}')),
          step.delta(2, args('"Rome"}')),
          step.delta(0, signature(SIGNED)),
          step.stop(0),
          step.stop(1),
          step.stop(2),
        ),
      )
      .interaction(
        configIn('cases/interactions-signature-interleaved', 2),
        [remembered('I should call the tool twice.', SIGNED), sunny('call_1'), sunny('call_2')],
        { match: 'route' },
      )
      .streams(...streamed('int_2', 'It is ', 'sunny.')),

  'cases/interactions-signature-managed-agent': () =>
    cassette()
      .interaction(configIn('cases/interactions-signature-managed-agent', 1), [
        { content: textOf('What is the weather?'), type: 'user_input' },
      ])
      .streams(
        ...streamed('int_1', thought('I should look outside.', { signature: SIGNED }), 'It is ', 'sunny.'),
      )
      .interaction(configIn('cases/interactions-signature-managed-agent', 2), [
        { content: textOf('Thanks.'), type: 'user_input' },
      ])
      .streams(...streamed('int_2', 'You are welcome.')),

  'cases/interactions-signature-unary': () => {
    const file = 'cases/interactions-signature-unary'
    const moments = { created: MOMENT, updated: MOMENT }
    return cassette()
      .interaction(configIn(file, 1), [
        { content: textOf('What is the weather in Paris?'), type: 'user_input' },
      ])
      .answers(thought(CALL_TOOL, { signature: SIGNED }), weather(), ...frame('int_1'), fields(moments))
      .interaction(configIn(file, 2), [remembered(CALL_TOOL, SIGNED), sunny('call_1')], { match: 'route' })
      .answers('It is sunny.', ...frame('int_2'), fields(moments))
  },
}
