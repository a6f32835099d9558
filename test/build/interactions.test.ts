/** Interactions, built: the events of their steps, and what is added by itself. */
import { describe, expect, it } from 'vitest'
import {
  args,
  at,
  call,
  cassette,
  completed,
  created,
  data,
  done,
  end,
  error,
  events,
  fields,
  joined,
  raw,
  signature,
  statusUpdate,
  step,
  streamedCall,
  text,
  thought,
  usage,
  type InteractionItem,
} from '../../src/build/entry.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'
import { chunks, first, wire } from './played.ts'

const ask = (...items: readonly InteractionItem[]) =>
  cassette()
    .interaction('gemini-3', 'When?')
    .streams(...items)

/** The type of each event, and what it adds; of `[DONE]` that. */
function told(...items: readonly InteractionItem[]): readonly string[] {
  return (first(ask(...items)).response?.events ?? []).map(({ event = '', data: payload, raw: stray }) => {
    if (stray !== undefined) return 'raw'
    const said = payload?.type === 'text' ? payload.text : ''
    if (said === '[DONE]') return `${event} [DONE]`
    const { event_type: type, step: started, delta } = JSON.parse(said) as Record<string, unknown>
    const more = started ?? delta
    return more === undefined ? String(type) : `${String(type)} ${JSON.stringify(more)}`
  })
}

const BEGINS = ['interaction.created', 'interaction.status_update']
const ENDS = ['interaction.completed', 'done [DONE]']

describe('a streamed interaction', () => {
  it('is asked for in the body, and told from its creation to its end', () => {
    const tape = ask('At ', '16:42.')
    expect(JSON.parse(decodeUtf8(wire(tape).request.body ?? new Uint8Array()) ?? '')).toEqual({
      model: 'gemini-3',
      input: 'When?',
      stream: true,
    })
    expect(chunks(tape).join('')).toMatchInlineSnapshot(`
      "event: interaction.created
      data: {"interaction":{"id":"interaction-1","status":"in_progress","object":"interaction","model":"gemini-3"},"event_type":"interaction.created"}

      event: interaction.status_update
      data: {"interaction_id":"interaction-1","status":"in_progress","event_type":"interaction.status_update"}

      event: step.start
      data: {"index":0,"step":{"type":"model_output"},"event_type":"step.start"}

      event: step.delta
      data: {"index":0,"delta":{"text":"At ","type":"text"},"event_type":"step.delta"}

      event: step.delta
      data: {"index":0,"delta":{"text":"16:42.","type":"text"},"event_type":"step.delta"}

      event: step.stop
      data: {"index":0,"event_type":"step.stop"}

      event: interaction.completed
      data: {"interaction":{"id":"interaction-1","status":"completed","usage":{"total_input_tokens":4,"total_output_tokens":3,"total_tokens":7},"object":"interaction","model":"gemini-3"},"event_type":"interaction.completed"}

      event: done
      data: [DONE]

      "
    `)
  })

  it('makes a step of each thing that is said, one of texts that follow one another', () => {
    expect(
      told(
        thought('Hm.', { signature: 'QQ==' }),
        call('f', { a: 1 }),
        'A',
        text('B'),
        thought('', { signature: 'Qg==' }),
        thought('So.', { signature: 'Qw==', signed: 'start' }),
        streamedCall('g', ['{"a"', ':1}'], { id: 'x', signature: 'RA==' }),
      ),
    ).toEqual([
      ...BEGINS,
      'step.start {"type":"thought"}',
      'step.delta {"content":{"text":"Hm.","type":"text"},"type":"thought_summary"}',
      'step.delta {"signature":"QQ==","type":"thought_signature"}',
      'step.stop',
      'step.start {"id":"call-1","type":"function_call","name":"f","arguments":{}}',
      'step.delta {"arguments":"{\\"a\\":1}","type":"arguments_delta"}',
      'step.stop',
      'step.start {"type":"model_output"}',
      'step.delta {"text":"A","type":"text"}',
      'step.delta {"text":"B","type":"text"}',
      'step.stop',
      'step.start {"type":"thought"}',
      'step.delta {"signature":"Qg==","type":"thought_signature"}',
      'step.stop',
      'step.start {"type":"thought","signature":"Qw=="}',
      'step.delta {"content":{"text":"So.","type":"text"},"type":"thought_summary"}',
      'step.stop',
      'step.start {"id":"x","type":"function_call","name":"g","arguments":{},"signature":"RA=="}',
      'step.delta {"arguments":"{\\"a\\"","type":"arguments_delta"}',
      'step.delta {"arguments":":1}","type":"arguments_delta"}',
      'step.stop',
      ...ENDS,
    ])
  })

  it('may be told event by event, in the words of the API too', () => {
    expect(
      told(
        step.start(0, thought('')),
        step.start(1, { type: 'google_search_call', id: 'g' }),
        step.delta(0, signature('QQ==')),
        step.delta(1, { type: 'google_search_call', arguments: {} }),
        step.start(2, 'Well'),
        step.delta(2, text(', ')),
        step.delta(2, args('{}')),
        step.stop(0),
      ),
    ).toEqual([
      ...BEGINS,
      'step.start {"type":"thought"}',
      'step.start {"type":"google_search_call","id":"g"}',
      'step.delta {"signature":"QQ==","type":"thought_signature"}',
      'step.delta {"type":"google_search_call","arguments":{}}',
      'step.start {"type":"model_output","content":[{"text":"Well","type":"text"}]}',
      'step.delta {"text":", ","type":"text"}',
      'step.delta {"arguments":"{}","type":"arguments_delta"}',
      'step.stop',
      ...ENDS,
    ])
  })

  it('counts the steps on', () => {
    const said = chunks(ask(step.start(3, ''), step.stop(3), 'A')).join('')
    expect(said.match(/"index":\d/g)).toEqual([
      '"index":3',
      '"index":3',
      '"index":4',
      '"index":4',
      '"index":4',
    ])
  })

  it('asks for an action where it has a call, and is completed otherwise, unless it says', () => {
    const statusOf = (...items: readonly InteractionItem[]) =>
      /"status":"(\w+)"[^\n]*"interaction.completed"/.exec(chunks(ask(...items)).join(''))?.[1]
    expect(statusOf('A')).toBe('completed')
    expect(statusOf(call('f'))).toBe('requires_action')
    expect(statusOf(step.start(0, call('f')))).toBe('requires_action')
    expect(statusOf('A', completed({ status: 'incomplete' }))).toBe('incomplete')
  })

  it('has its marks where they are put', () => {
    expect(
      told(
        created(),
        statusUpdate('queued'),
        'A',
        completed(),
        data({ event_type: 'x' }),
        raw(': a\n\n'),
        done(),
      ),
    ).toEqual([
      'interaction.created',
      'interaction.status_update',
      'step.start {"type":"model_output"}',
      'step.delta {"text":"A","type":"text"}',
      'step.stop',
      'interaction.completed',
      'x',
      'raw',
      'done [DONE]',
    ])
  })

  it('comes in chunks that are placed', () => {
    const placed = first(ask(created(), joined(statusUpdate()), at(5, 'A'), at(9, 'B'), joined(done())))
    expect(placed.response?.events?.map(({ at: when, joined: with_ }) => with_ ?? when)).toEqual([
      undefined,
      true,
      5,
      undefined,
      9,
      undefined,
      undefined,
      true,
    ])
  })

  it('spells keys in either order, with ids of its events or without', () => {
    const said = ask('A', events({ ids: 'e', keys: 'type-first' }), fields({ id: 'i' }), usage('none'))
    expect(
      first(said).response?.events?.map(one => (one.data?.type === 'text' ? one.data.text : '')),
    ).toEqual([
      '{"event_type":"interaction.created","event_id":"e1","interaction":{"id":"i","object":"interaction","status":"in_progress","model":"gemini-3"}}',
      '{"event_type":"interaction.status_update","event_id":"e2","interaction_id":"i","status":"in_progress"}',
      '{"event_type":"step.start","event_id":"e3","index":0,"step":{"type":"model_output"}}',
      '{"event_type":"step.delta","event_id":"e4","index":0,"delta":{"type":"text","text":"A"}}',
      '{"event_type":"step.stop","event_id":"e5","index":0}',
      '{"event_type":"interaction.completed","event_id":"e6","interaction":{"id":"i","object":"interaction","status":"completed","model":"gemini-3"}}',
      '[DONE]',
    ])
  })

  it('may fail, and is done then', () => {
    expect(told('A', error(503)).slice(-2)).toEqual(['error', 'done [DONE]'])
  })

  it('may be cut in the middle of a step', () => {
    const cut = cassette()
      .interaction('gemini-3', 'When?')
      .streams('At 16', end({ how: 'upstream-reset' }))
    expect(chunks(cut).at(-1)).toContain('At 16')
  })
})

describe('an interaction that comes at once', () => {
  it('has its steps in its body', () => {
    const whole = cassette()
      .interaction('gemini-3', 'When?')
      .answers(thought('Hm.', { signature: 'QQ==' }), call('f', { a: 1 }), 'At ', '16:42.')
    expect(chunks(whole)).toMatchInlineSnapshot(`
      [
        "{
        "id": "interaction-1",
        "object": "interaction",
        "status": "requires_action",
        "model": "gemini-3",
        "steps": [
          {
            "type": "thought",
            "signature": "QQ==",
            "summary": [
              {
                "type": "text",
                "text": "Hm."
              }
            ]
          },
          {
            "type": "function_call",
            "id": "call-1",
            "name": "f",
            "arguments": {
              "a": 1
            }
          },
          {
            "type": "model_output",
            "content": [
              {
                "type": "text",
                "text": "At 16:42."
              }
            ]
          }
        ],
        "usage": {
          "total_input_tokens": 4,
          "total_output_tokens": 3,
          "total_tokens": 7
        }
      }
      ",
      ]
    `)
  })
})

describe('a request', () => {
  it('of which the model alone is said is matched by its route, and its answer names the model', () => {
    const open = cassette().interaction('gemini-3').streams('Hi.')
    expect(first(open)).toMatchObject({ match: 'route', request: { body: undefined } })
    expect(chunks(open).join('')).toContain('"model":"gemini-3"')
  })

  it('may be of an agent', () => {
    const agent = cassette().interaction({ agent: 'deep-research', background: true }, 'Why?').streams('So.')
    expect(chunks(agent)[0]).toContain('"agent":"deep-research"')
  })

  it('that fails is answered in JSON, streamed or not', () => {
    const failed = cassette().interaction('gemini-3', 'Why?').fails(429, undefined, { asked: 'streamed' })
    expect(wire(failed).response?.headers).toEqual([['content-type', 'application/json; charset=UTF-8']])
    expect(decodeUtf8(wire(failed).request.body ?? new Uint8Array())).toContain('"stream": true')
  })
})
