/** What can't be built: each is said where it is written, with what to do instead. */
import { expect, it } from 'vitest'
import { WiretapeError } from '../../src/errors.ts'
import {
  argument,
  at,
  body,
  call,
  cassette,
  chunk,
  client,
  cuts,
  data,
  end,
  error,
  fields,
  finish,
  head,
  joined,
  media,
  part,
  raw,
  server,
  streamedCall,
  together,
  usage,
} from '../../src/build/entry.ts'

function thrownBy(build: () => unknown): string {
  try {
    build()
  } catch (thrown) {
    if (!WiretapeError.is(thrown)) throw thrown
    expect(thrown.code).toBe('WIRETAPE_USAGE')
    return thrown.message.replaceAll(/\n+/g, '\n')
  }
  throw new Error('nothing was thrown')
}

const on = () => cassette().on('m', 'Hi?')
const loose = (value: unknown) => value as never

it.each<[string, () => unknown]>([
  ['an answer without a request', () => (cassette() as unknown as ReturnType<typeof on>).answers('Hi.')],
  ['a request without an answer', () => twice().on('m', 'again')],
  ['a cassette whose last request has no answer', () => twice().build()],
  ['a second answer', () => secondAnswer()],
  ['an answer that says nothing', () => on().answers()],
  ['a stream that says nothing', () => on().streams()],
  ['a finish of nothing', () => on().streams(finish('STOP'), raw('x'))],
  ['a chunk of a body', () => on().answers(chunk('a'))],
  ['an error inside a body', () => on().answers(error(500))],
  ['a moment of a body', () => on().answers(at(4, 'a'))],
  ['a body beside something', () => on().answers(body({}), 'a')],
  ['two heads', () => on().answers(head({}), 'a', head({}))],
  ['something after the end', () => on().streams(end({}), 'a')],
  ['the first thing joined', () => on().streams(joined('a'))],
  ['something joined at a moment', () => on().streams('a', at(4, joined('b')))],
  ['a cut outside of its event', () => on().streams(cuts([900], 'a'))],
  ['a time that goes back', () => on().streams(at(9, 'a'), at(4, 'b'))],
  ['an error that nobody knows', () => on().fails(418)],
  ['a header that is none', () => cassette({ recorded: 'yesterday' })],
  ['a request that is no object', () => cassette().on('m', loose(7))],
  ['no address', () => cassette().on('a model')],
  ['an argument without a value', () => argument('$.a')],
  ['a streamed call in JSON on a model', () => on().streams(streamedCall('f', ['{}']))],
  [
    'a streamed call in paths on an interaction',
    () =>
      cassette()
        .interaction('m', 'Hi?')
        .streams(streamedCall('f', [argument('$.a', 1)])),
  ],
  ['what is no JSON', () => part(loose({ big: 1n }))],
  ['what is nothing', () => data(undefined)],
  ['what is no object', () => usage(loose([]))],
  ['fields that are no JSON', () => on().answers('a', fields({ responseId: 1n }))],
  ['a message after the close', () => cassette().live('m', [server.closes(1000), client.says('Hi?')])],
  ['a second close', () => cassette().live('m', [server.closes(1000), client.closes()])],
  ['something after the end of a session', () => cassette().live('m', [end({}), server.says('Hi.')])],
  ['chunks of a message', () => cassette().live('m', [joined(server.says('Hi.'))])],
  ['a code that no close frame carries', () => cassette().live('m', [server.closes(1006)])],
  ['a reason without a code', () => cassette().live('m', [server.closes(undefined, 'Why?')])],
  ['messages of both sides in one', () => together(server.turnComplete(), client.says('Hi?'))],
  ['an exact text put together with a message', () => together(server.sends('x'), server.turnComplete())],
])('%s', (_what, build) => {
  expect(thrownBy(build)).toMatchSnapshot()
})

/** A cassette with a request that waits. */
function twice() {
  const tape = cassette()
  tape.on('m', 'Hi?')
  return tape
}

function secondAnswer(): unknown {
  const asked = on()
  asked.answers('a')
  return asked.answers(call('f'), media('image/png', new Uint8Array()))
}
