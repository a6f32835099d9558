/** What a cassette looks like, by example. */
import { describe, expect, it } from 'vitest'
import type { Exchange, Payload } from '../../src/cassette/model.ts'
import { renderCassette, renderDocument } from '../../src/cassette/render.ts'
import { layOut } from '../../src/cassette/render-yaml.ts'
import { literal, scalar } from '../../src/cassette/render-scalar.ts'
import type { JsonValue } from '../../src/wire/json.ts'

const smallest: Exchange = {
  exchange: 'unknown',
  request: { method: 'GET', url: 'https://api.test/', headers: [], body: undefined },
  end: { at: 5, how: 'upstream-error' },
  line: 0,
}

/** The lines of a request body. */
function body(payload: Payload): string {
  const text = renderDocument({
    type: 'exchange',
    exchange: { ...smallest, request: { ...smallest.request, body: payload } },
  })
  return text.slice(text.indexOf('  body'), text.indexOf('\nend:'))
}

function value(json: JsonValue, numbers?: readonly string[]): string {
  return body({ type: 'value', value: json, ...(numbers === undefined ? {} : { numbers }) })
}

describe('a rendered cassette', () => {
  it('has its header, then a document for each exchange, with `end` last', () => {
    const text = renderCassette([
      {
        type: 'header',
        header: {
          cassette: 1,
          recorded: '2026-11-30T10:12:04Z',
          by: 'wiretape/0.1.0',
          note: 'The answer is cut by its token limit.',
          expires: '2027-01-31',
        },
      },
      {
        type: 'exchange',
        exchange: {
          exchange: 'generate-content',
          name: 'sky',
          at: 20,
          repeat: 'always',
          match: 'route',
          eol: 'lf',
          request: {
            method: 'POST',
            url: 'https://api.test/v1/models/m:stream?alt=sse',
            headers: [['x-a', '1']],
            body: {
              type: 'value',
              value: {
                contents: [{ parts: [{ text: 'Why is the sky blue?' }], role: 'user' }],
                generationConfig: { temperature: 0.5, maxOutputTokens: 20 },
              },
            },
          },
          response: {
            at: 412,
            status: 200,
            reason: 'Fine',
            headers: [['content-type', 'text/event-stream']],
            trailers: [
              ['a', 'b'],
              ['a', 'c'],
            ],
            events: [
              { at: 418, data: { type: 'text', text: '{"text": "The"}' } },
              {
                at: 470,
                cuts: [
                  { offset: 7, at: 483 },
                  { offset: 9, at: undefined },
                ],
                hold: true,
                event: 'step',
                id: '7',
                data: { type: 'text', text: '{"text": " sky"}' },
              },
              { joined: true, raw: { type: 'text', text: ': ping\n\n' } },
              { data: { type: 'base64', base64: '//4=' } },
            ],
          },
          blobs: { '9f.png': 192 },
          end: { at: 485, how: undefined },
          line: 0,
        },
      },
    ])
    expect(text).toBe(`cassette: 1
recorded: 2026-11-30T10:12:04Z
by: wiretape/0.1.0
note: The answer is cut by its token limit.
expires: 2027-01-31
---
exchange: generate-content
name: sky
at: 20
repeat: always
match: route
eol: lf
request:
  method: POST
  url: https://api.test/v1/models/m:stream?alt=sse
  headers: { x-a: "1" }
  body:
    contents:
      - { parts: [{ text: "Why is the sky blue?" }], role: user }
    generationConfig: { temperature: 0.5, maxOutputTokens: 20 }
response:
  at: 412
  status: 200
  reason: Fine
  headers: { content-type: text/event-stream }
  trailers: { a: [b, c] }
  events:
    - at: 418
      data: |-
        {"text": "The"}
    - at: 470
      cuts: [7@483, 9]
      hold: true
      event: step
      id: "7"
      data: |-
        {"text": " sky"}
    - joined: true
      raw: ": ping\\n\\n"
    - data-base64: //4=
blobs: { 9f.png: 192 }
end: { at: 485 }
`)
  })

  it('leaves out what is not there', () => {
    expect(renderDocument({ type: 'exchange', exchange: smallest })).toBe(`exchange: unknown
request:
  method: GET
  url: https://api.test/
end: { at: 5, how: upstream-error }
`)
  })
})

describe('a value', () => {
  it('is a flow where its line fits 80 columns and it nests three levels at most', () => {
    expect(value({ a: [1, { b: 'c' }] })).toBe('  body: { a: [1, { b: c }] }')
    expect(value({ a: { b: { c: { d: 1 } } } })).toBe('  body:\n    a: { b: { c: { d: 1 } } }')
    expect(value({ a: 'x'.repeat(59), b: 1 })).toBe(`  body: { a: ${'x'.repeat(59)}, b: 1 }`)
    expect(value({ a: 'x'.repeat(60), b: 1 })).toBe(`  body:\n    a: ${'x'.repeat(60)}\n    b: 1`)
  })

  it('counts what may be wide as two columns', () => {
    expect(value({ a: '日'.repeat(35) })).toBe(`  body:\n    a: ${'日'.repeat(35)}`)
    expect(value({ a: 'é'.repeat(65) })).toBe(`  body: { a: ${'é'.repeat(65)} }`)
  })

  it('keeps empty collections, words, and lists in lists', () => {
    expect(value({ a: {}, b: [], c: null, d: [true, [false]] })).toBe(
      '  body: { a: {}, b: [], c: null, d: [true, [false]] }',
    )
    expect(value([['x'.repeat(40), 'y'.repeat(40)]])).toBe(
      `  body:\n    - - ${'x'.repeat(40)}\n      - ${'y'.repeat(40)}`,
    )
  })

  it('spells its numbers as the text did', () => {
    expect(value({ a: 1, b: [100_000, 0.5] }, ['1.0', '1e5', '0.50'])).toBe(
      '  body: { a: 1.0, b: [1e5, 0.50] }',
    )
  })

  it('has its texts of several lines in literal blocks', () => {
    expect(value({ a: 'one\ntwo', b: ['one\n\ntwo\n'] })).toBe(`  body:
    a: |-
      one
      two
    b:
      - |
        one

        two`)
  })
})

describe('a text that is a payload', () => {
  it.each([
    ['is a literal block even of one line', '[DONE]', '|-\n    [DONE]'],
    ['keeps one line feed at its end', '{"a": 1}\n', '|\n    {"a": 1}'],
    ['keeps several after several lines', 'a\nb\n\n', '|+\n    a\n    b\n'],
    ['says how far it is indented where it begins with a blank', ' a\nb', '|2-\n     a\n    b'],
    ['is quoted where it is empty', '', '""'],
    ['is quoted where a line ends in a blank', 'a \nb', '"a \\nb"'],
    ['is quoted where a line is only blanks, which one reader drops', '   {\n  ', '"   {\\n  "'],
    ['is quoted where a line begins with a tab', 'a\n\tb', '"a\\n\\tb"'],
    ['is quoted where it has a carriage return', 'a\r\nb', '"a\\r\\nb"'],
    ['is quoted where a line end of YAML 1.1 is in it', 'a\u2028b', '"a\\u2028b"'],
    ['is quoted where it begins with an empty line', '\na', '"\\na"'],
    ['is quoted where it is one line with a blank one after it', ': ping\n\n', '": ping\\n\\n"'],
  ])('%s', (_, text, expected) => {
    expect(body({ type: 'text', text })).toBe(`  body: ${expected}`)
  })
})

describe('a scalar', () => {
  it.each([
    'word',
    'two words',
    'audio/pcm;rate=24000',
    'https://a.b/c?d=e#f',
    '2-server.pcm',
    '__proto__',
    'é',
    '$ref',
    "it's",
  ])('is plain where every reader takes it for text: %s', text => {
    expect(scalar(text, 'block')).toBe(text)
  })

  it.each(
    [
      [
        'y',
        'No',
        'null',
        'TRUE',
        'off',
        '~',
        '1',
        '007',
        '1e5',
        '1_000',
        '0o7',
        '0x1F',
        '1:30',
        '2001-12-14',
      ],
      [
        '',
        ' a',
        'a ',
        'a: b',
        'a:',
        'a #b',
        '#a',
        '- a',
        '-',
        '? a',
        '[a]',
        '{a}',
        '*a',
        '&a',
        '!a',
        '%a',
        '@a',
      ],
      ['<<', '=', '.5', '+1', '|', '>', '`a', 'DONE', "'a'", 'a\u00a0'],
    ].flat(),
  )('is quoted where some reader would take it for something else: %j', text => {
    expect(scalar(text, 'block')).toBe(`"${text}"`)
  })

  it.each(['a, b', 'a]', 'why?', 'a -'])(
    'is quoted in a flow where that ends it for some reader: %s',
    text => {
      expect(scalar(text, 'block')).toBe(text)
      expect(scalar(text, 'flow')).toBe(`"${text}"`)
    },
  )

  it.each([
    ['"a"', `'"a"'`],
    [`"it's"`, `'"it''s"'`],
    ['[\\', String.raw`"[\\"`],
    ['"\n', String.raw`"\"\n"`],
    ['\u0000\u0085\ufeff', String.raw`"\u0000\u0085\uFEFF"`],
    ['\ud83d', String.raw`"\uD83D"`],
  ])('is quoted as formatters do: %j', (text, expected) => {
    expect(scalar(text, 'block')).toBe(expected)
  })
})

it('has no literal block for what no block can hold', () => {
  expect(literal('\n\n', 2)).toBeUndefined()
  expect(literal('a\u0000', 2)).toBeUndefined()
})

describe('a tree', () => {
  it('has no flow around a payload, which has lines of its own', () => {
    const text = layOut({
      type: 'map',
      layout: 'auto',
      entries: [['a', { type: 'list', layout: 'auto', items: [{ type: 'payload', text: 'b' }] }]],
    })
    expect(text).toBe('a:\n  - |-\n    b\n')
  })

  it('puts what is empty on a line of its own where its key is too long, as formatters do', () => {
    const key = 'k'.repeat(90)
    expect(value({ [key]: [], b: 'x\ny' })).toBe(
      `  body:\n    ${key}:\n      []\n    b: |-\n      x\n      y`,
    )
    expect(value({ [key]: 'x\ny' })).toBe(`  body:\n    ${key}: "x\\ny"`)
  })
})
