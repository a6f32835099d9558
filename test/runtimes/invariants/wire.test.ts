/** What the wire comes to: streams, arguments in pieces, parts. */
import { describe, expect, it } from 'vitest'
import { foldArguments, stepsOf } from './arguments.ts'
import { partsOf } from './fold.ts'
import { chunk, connection, modelStream } from './made-runs.ts'
import { readStream } from './read-stream.ts'

describe('a stream', () => {
  it('is read with any line ends, comments, several data lines, and without its last blank line', () => {
    const one = { type: 'json', value: { a: 1 } }
    for (const end of ['\n', '\r\n', '\r']) {
      expect(
        readStream([': hi', 'data: {', 'data:"a": 1}', '', 'id: 2', 'data: {"a": 1}'].join(end)),
      ).toEqual([one, one])
    }
  })
  it('keeps what is no JSON, and leaves out its end mark', () => {
    expect(readStream('data: {"a":\n\ndata: [DONE]\n\n')).toEqual([{ type: 'text', text: '{"a":' }])
    expect(readStream('{"error": {\n"code": 503}}\n')).toEqual([
      { type: 'json', value: { error: { code: 503 } } },
    ])
  })
})

describe('arguments in pieces', () => {
  it('have paths with names, indexes and quoted names', () => {
    expect(stepsOf(`$.a[0]['b.c']["d\\u0041"].e`)).toEqual(['a', 0, 'b.c', 'dA', 'e'])
  })
  it('are put together: texts are appended, other values stand', () => {
    const pieces = [
      { path: '$.list[0].name', value: 'Whit' },
      { path: '$.list[0].name', value: 'by' },
      { path: '$.list[1]', value: 0 },
      { path: `$['a.b']`, value: false },
      { path: '$.none', value: null },
    ]
    expect(foldArguments(pieces)).toEqual({ list: [{ name: 'Whitby' }, 0], 'a.b': false, none: null })
  })
})

describe('calls in pieces', () => {
  const starts = (id: string) => ({ functionCall: { id, name: 'f', willContinue: true } })
  const gives = (value: string) => ({
    functionCall: { partialArgs: [{ jsonPath: '$.x', stringValue: value }], willContinue: true },
  })
  it('are two where a bare end or a new name parts them', () => {
    for (const end of [[{ functionCall: {} }], [{ functionCall: { willContinue: false } }], []]) {
      const parts = partsOf(
        modelStream(
          chunk([starts('a'), gives('1'), ...end, starts('b'), gives('2'), { functionCall: {} }], 'STOP'),
        ),
      )
      expect(parts.map(part => part.kind === 'call' && [part.id, part.args])).toEqual([
        ['a', { x: '1' }],
        ['b', { x: '2' }],
      ])
    }
  })
})

describe('text', () => {
  it('is one part until another kind, a call, or the end of the turn comes', () => {
    const texts = (...parts: readonly object[]) =>
      partsOf(
        connection(...parts.map(part => ({ serverContent: JSON.parse(JSON.stringify(part)) }))),
      ).flatMap(part => (part.kind === 'text' ? [part.text] : []))
    const says = (text: string, more: object = {}) => ({ modelTurn: { parts: [{ text, ...more }] } })
    const sound = { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: 'AAAA' } }] } }
    expect(texts(says('a'), says(''), sound, says('b'))).toEqual(['ab'])
    expect(texts(says('a'), says('b', { thought: true }), says('c'))).toEqual(['a', 'b', 'c'])
    expect(texts(says('a'), { turnComplete: true }, says('b'))).toEqual(['a', 'b'])
  })
})
