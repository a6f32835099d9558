/** Whatever is built is a cassette: its text reads as what was built, renders as it was, and no check of lint objects. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lintCassette } from '../../src/cassette/lint.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import { openBlobs } from '../../src/store/load.ts'
import {
  argument,
  at,
  blocked,
  body,
  call,
  candidate,
  cassette,
  chunk,
  client,
  data,
  end,
  error,
  fields,
  finish,
  joined,
  media,
  model,
  part,
  raw,
  refused,
  result,
  server,
  signature,
  step,
  streamedCall,
  text,
  thought,
  together,
  usage,
  user,
  type CassetteBuilder,
  type InteractionItem,
  type LiveItem,
  type ModelItem,
  type Saying,
} from '../../src/build/entry.ts'
import { hostileText, json } from '../cassette/arbitrary.ts'

const object = fc.dictionary(hostileText, json, { maxKeys: 3 })
const bytes = fc.uint8Array({ minLength: 0, maxLength: 260 })
const word = fc.constantFrom('get_tide', 'f', 'book berth')
const signed = fc.record({ signature: fc.constantFrom(undefined, 'QQ==') })
const identified = fc.record({
  id: fc.constantFrom(undefined, '', 'x'),
  signature: fc.constantFrom(undefined, 'QQ=='),
})

const saying: fc.Arbitrary<Saying> = fc.oneof(
  hostileText,
  fc.tuple(hostileText, signed).map(args => text(...args)),
  fc.tuple(hostileText, signed).map(args => thought(...args)),
  fc.tuple(word, object, identified).map(args => call(...args)),
  fc.tuple(fc.constantFrom('image/png', 'audio/pcm;rate=24000'), bytes).map(args => media(...args)),
  object.map(part),
)

const modelItem: fc.Arbitrary<ModelItem> = fc.oneof(
  { weight: 4, arbitrary: saying },
  fc.array(saying, { maxLength: 3 }).map(items => chunk(...items, candidate({ avgLogprobs: -1 }))),
  fc
    .tuple(word, fc.array(hostileText, { minLength: 1, maxLength: 3 }), identified)
    .map(([name, pieces, more]) => streamedCall(name, [argument('$.a', ...pieces)], more)),
  object.map(fields),
  object.map(usage),
  json.filter(value => typeof value !== 'string').map(value => data(value)),
  hostileText.map(raw),
  bytes.map(raw),
  fc.constantFrom(
    finish('STOP'),
    blocked('SAFETY'),
    error(503),
    error(499, undefined, { framing: 'bare' }),
    usage('none'),
  ),
)

const interactionItem: fc.Arbitrary<InteractionItem> = fc.oneof(
  hostileText,
  fc.tuple(hostileText, signed).map(args => thought(...args)),
  fc.tuple(word, object, identified).map(args => call(...args)),
  fc.tuple(word, fc.array(hostileText, { maxLength: 3 }), identified).map(args => streamedCall(...args)),
  object.map(value => step.start(7, value)),
  fc.constantFrom(step.stop(7), step.delta(7, signature('QQ==')), error(500)),
  object.map(fields),
)

const line: fc.Arbitrary<LiveItem> = fc.oneof(
  fc.array(saying, { minLength: 1, maxLength: 2 }).map(said => client.says(...said)),
  fc.array(saying, { maxLength: 3 }).map(said => server.says(...said)),
  bytes.map(sound => client.audio(sound)),
  bytes.map(sound => server.audio(sound)),
  fc.tuple(word, object, identified).map(args => server.calls(call(...args))),
  fc.tuple(word, object).map(args => client.responds(result(...args))),
  fc.oneof(object, hostileText, bytes).map(value => server.sends(value)),
  hostileText.map(said => together(server.says(said), server.interrupted())),
  fc.constantFrom(server.completes(), server.goesAway('9s'), client.recalls(user('a'), model('b'))),
)

/** Adds an exchange to a cassette. */
type Step = (tape: CassetteBuilder) => CassetteBuilder

const more = fc.record({
  name: fc.option(hostileText, { nil: undefined }),
  note: fc.option(hostileText, { nil: undefined }),
  repeat: fc.constantFrom(undefined, 2, 'always' as const),
})
const asks = fc.oneof(
  fc.constant(undefined),
  hostileText,
  object,
  saying.map(said => [user(said), model(said)]),
)
const address = fc.constantFrom(
  'gemini-2.5-flash',
  'models/m:streamGenerateContent',
  'https://api.test/v1/x',
  'files/a',
)
const close = fc.constantFrom<LiveItem>(
  client.closes(),
  server.closes(1011, 'Oh: no #1'),
  end({ how: 'upstream-reset' }),
)
const ending = fc.constantFrom(end({}), end({ how: 'client-abort', at: 9000 }))

const exchange: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(address, asks, more, fc.array(modelItem, { minLength: 1, maxLength: 5 }), ending).map(
    ([to, asked, options, items, ends]): Step =>
      tape =>
        tape.on(to, asked, options).streams('', ...items, ends),
  ),
  fc.tuple(address, asks, more, fc.array(saying, { minLength: 1, maxLength: 4 })).map(
    ([to, asked, options, items]): Step =>
      tape =>
        tape.on(to, asked, options).answers(...items),
  ),
  fc.tuple(asks, fc.array(interactionItem, { minLength: 1, maxLength: 5 }), ending).map(
    ([asked, items, ends]): Step =>
      tape =>
        tape.interaction(asked ?? 'm').streams(...items, ends),
  ),
  fc.tuple(fc.oneof(object, word), fc.array(line, { maxLength: 6 }), close, more).map(
    ([setup, lines, last, options]): Step =>
      tape =>
        tape.live(setup, [...lines, last], options),
  ),
  fc.oneof(hostileText, json, bytes).map(
    (value): Step =>
      tape =>
        tape.on('GET files/a').answers(body(value)),
  ),
  fc.constantFrom<Step>(
    tape => tape.on('m').unanswered(),
    tape => tape.on('m', 'Hi?').fails(429, undefined, { retryDelay: '3s' }),
    tape => tape.live('m', refused(403, 'Forbidden')),
    tape => tape.on('m').streams(at(3, 'a'), joined('b'), at(9, 'c')),
  ),
)

describe('whatever is built', () => {
  it('is read from its text as it was built', () => {
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 3 }), steps => {
        const tape = steps.reduce((sum, add) => add(sum), cassette({ note: 'a: b' }))
        const written = tape.render()
        const read = parseCassette(written, { file: 'a cassette that was built' })
        expect(renderCassette(read.documents)).toBe(written)
        expect(tape.build().documents).toEqual(read.documents)
        // Every blob is there, as long as it is listed.
        expect(openBlobs(tape.build())).toBeTypeOf('function')
      }),
      { numRuns: 300 },
    )
  })
})

describe('what lint says of what is built', () => {
  it('is nothing, for shapes that the service has', () => {
    const sound = new Uint8Array(600)
    const tape = cassette()
      .on('gemini-2.5-flash', 'Hi?')
      .answers('Hello.')
      .on('gemini-2.5-flash')
      .streams(thought('Hm.'), 'Hel', 'lo.', media('image/png', sound))
      .on('gemini-2.5-flash', 'Tide?')
      .streams(call('get_tide', { harbour: 'Whitby' }))
      .on('gemini-2.5-flash', 'Bad?')
      .streams(blocked('SAFETY'))
      .on('gemini-2.5-flash', 'Wrong?')
      .fails(404, undefined, { asked: 'streamed' })
      .on('gemini-2.5-flash', 'Cut?')
      .streams('Hel', end({ how: 'upstream-reset' }))
      .on('gemini-2.5-flash', 'Busy?')
      .streams('Hel', error(503))
      .interaction('gemini-3-flash', 'Tide?')
      .streams(thought('Hm.', { signature: 'QQ==' }), call('get_tide'), streamedCall('f', ['{}']))
      .interaction('gemini-3-flash', 'And?')
      .streams('Hel', error(500))
      .interaction('gemini-3-flash', 'Cut?')
      .streams('Hel', end({ how: 'upstream-reset' }))
      .interaction('gemini-3-flash', 'All?')
      .answers('Hello.')
      .live('gemini-live', [
        client.audio(sound),
        server.hears('Hi'),
        server.says('Hel'),
        server.audio(sound),
        server.transcribes('lo'),
        server.calls(call('f'), call('g')),
        server.cancels('function-call-4', 'function-call-5'),
        server.resumption('redacted-session-handle-1'),
        server.completes(),
        server.closes(1000),
      ])
    const built = tape.build()
    expect(lintCassette({ cassette: built, text: tape.render(), blobs: built.blobs })).toEqual([])
  })
})
