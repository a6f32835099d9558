/** What the reader makes of a cassette that is right, and of one that was cut off. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CassetteDocument, Exchange } from '../../src/cassette/model.ts'
import { checkBlobs } from '../../src/cassette/parse-blobs.ts'
import { cassetteText } from '../../src/cassette/parse-text.ts'
import { parseCassette, parseCommitted } from '../../src/cassette/parse.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import { WiretapeError } from '../../src/errors.ts'

const root = resolve(import.meta.dirname, '../..')
const options = { file: 'x.cassette.yaml' }
const shipped = readdirSync(resolve(root, 'cassettes'), { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.cassette.yaml'),
)
const REQUEST = `request:
  method: POST
  url: https://example.com/v1/models/m:generateContent
`

/** The only exchange of a cassette whose response is this, in YAML, indented by two. */
function exchangeWith(response: string, more = ''): Exchange {
  const text = `cassette: 1\n---\nexchange: generate-content\n${more}${REQUEST}response:\n  status: 200\n${response}end: {}\n`
  const [, document] = parseCassette(text, options).documents
  if (document?.type !== 'exchange') throw new Error('no exchange')
  return document.exchange
}

function withoutLine(document: CassetteDocument): unknown {
  return document.type === 'header' ? document : { ...document.exchange, line: 0 }
}

function mistakeOf(run: () => unknown): WiretapeError {
  try {
    run()
  } catch (error) {
    if (error instanceof WiretapeError) return error
    throw error
  }
  throw new Error('it did not throw')
}

describe('a cassette', () => {
  it('is read key by key', () => {
    const text = `cassette: 1
recorded: 2026-11-30T10:12:04.250Z
by: wiretape/0.1.0
client: google-genai-sdk/3.3.0 gl-node/v22.23.2
note: "Two: of them."
---
exchange: interactions
name: first
note: |
  On two
  lines.
at: 12.5
repeat: always
match: route
eol: crlf
request:
  method: GET
  url: https://example.com/v1/interactions/x?stream=true
  headers: { api-revision: 2026-05-20, x-twice: [a, b] }
response:
  at: 30
  status: 200
  reason: ""
  headers: { content-type: text/event-stream }
  events:
    - at: 31.125
      event: step
      id: "17"
      retry: "3000"
      data: '{"a":1}'
    - { joined: true, data: "[DONE]" }
    - { at: 40, hold: true, raw: ": ping\\n\\n" }
    - { raw-base64: /w== }
  trailers: { x-end: "yes" }
blobs: { 2-abc.png: 3 }
end: { at: 41, how: client-abort }
`
    expect(parseCassette(text, options)).toEqual({
      file: 'x.cassette.yaml',
      documents: [
        {
          type: 'header',
          header: {
            cassette: 1,
            recorded: '2026-11-30T10:12:04.250Z',
            by: 'wiretape/0.1.0',
            client: 'google-genai-sdk/3.3.0 gl-node/v22.23.2',
            note: 'Two: of them.',
          },
        },
        {
          type: 'exchange',
          exchange: {
            exchange: 'interactions',
            name: 'first',
            note: 'On two\nlines.\n',
            at: 12.5,
            repeat: 'always',
            match: 'route',
            eol: 'crlf',
            request: {
              method: 'GET',
              url: 'https://example.com/v1/interactions/x?stream=true',
              headers: [
                ['api-revision', '2026-05-20'],
                ['x-twice', 'a'],
                ['x-twice', 'b'],
              ],
            },
            response: {
              at: 30,
              status: 200,
              reason: '',
              headers: [['content-type', 'text/event-stream']],
              events: [
                {
                  at: 31.125,
                  event: 'step',
                  id: '17',
                  retry: '3000',
                  data: { type: 'text', text: '{"a":1}' },
                },
                { joined: true, data: { type: 'text', text: '[DONE]' } },
                { at: 40, hold: true, raw: { type: 'text', text: ': ping\n\n' } },
                { raw: { type: 'base64', base64: '/w==' } },
              ],
              trailers: [['x-end', 'yes']],
            },
            blobs: { '2-abc.png': 3 },
            end: { at: 41, how: 'client-abort' },
            line: 7,
          },
        },
      ],
    })
  })

  it('may have a header again, for what follows', () => {
    const text = `cassette: 1\n---\nexchange: unknown\n${REQUEST}end: { how: truncated }\n---\ncassette: 1\nnote: later\n`
    expect(parseCassette(text, options).documents.map(({ type }) => type)).toEqual([
      'header',
      'exchange',
      'header',
    ])
  })

  it('may have comments, blank lines, `---` at its start and `...` at its end', () => {
    const text = `# one\n\n---\ncassette: 1 # format\n--- # two\n# three\nexchange: unknown\n${REQUEST}end: { how: truncated } # four\n...\n`
    expect(parseCassette(text, options).documents).toHaveLength(2)
  })

  it('is read the same when it was written again', () => {
    for (const file of shipped) {
      const { documents } = parseCassette(readFileSync(resolve(root, 'cassettes', file), 'utf8'), { file })
      const again = parseCassette(renderCassette(documents), { file })
      expect(again.documents.map(withoutLine)).toEqual(documents.map(withoutLine))
    }
  })

  it('may have keys of others, which begin with x-', () => {
    expect(exchangeWith('  x-seen: [yes, 0x10]\n', 'x-ticket: 17\n').response?.status).toBe(200)
  })

  it('may use an alias for what it says twice', () => {
    const { response } = exchangeWith('  headers: &all { x-a: b }\n  trailers: *all\n')
    expect(response?.trailers).toEqual([['x-a', 'b']])
  })

  it.each(shipped)('that is shipped is read: %s', file => {
    const text = cassetteText(readFileSync(resolve(root, 'cassettes', file)), { file })
    const { documents } = parseCassette(text, { file })
    expect(documents.length).toBeGreaterThan(1)
    expect(documents.every(({ type }, index) => type === (index === 0 ? 'header' : 'exchange'))).toBe(true)
    // Another system's checkout.
    const windows = `\ufeff${text.replaceAll('\n', '\r\n')}`
    expect(parseCassette(cassetteText(new TextEncoder().encode(windows), { file }), { file })).toEqual({
      file,
      documents,
    })
  })
})

describe('a payload', () => {
  it.each([
    ['text', '"a\\nb"', { type: 'text', text: 'a\nb' }],
    ['an empty text', '""', { type: 'text', text: '' }],
    ['a block of text', '|\n    a\n\n    b', { type: 'text', text: 'a\n\nb\n' }],
    ['a mapping', '{ a: [1, true, null, "x"] }', { type: 'value', value: { a: [1, true, null, 'x'] } }],
    ['a list', '[]', { type: 'value', value: [] }],
    ['a number', '7', { type: 'value', value: 7 }],
    ['a JSON null', 'null', { type: 'value', value: null }],
    ['a word of YAML 1.1', '{ a: no, b: 1:30 }', { type: 'value', value: { a: 'no', b: '1:30' } }],
    [
      'numbers as they are spelled',
      '[1.0, 1e5, 3]',
      { type: 'value', value: [1, 100000, 3], numbers: ['1.0', '1e5', '3'] },
    ],
    [
      'a key that is a prototype',
      '{ __proto__: 1 }',
      { type: 'value', value: JSON.parse('{"__proto__":1}') as unknown },
    ],
  ])('is %s', (_what, yaml, payload) => {
    expect(exchangeWith(`  body: ${yaml}\n`).response?.body).toStrictEqual(payload)
  })

  it('keeps the order of its keys', () => {
    const { response } = exchangeWith('  body: { b: 1, a: 2, "1x": 3 }\n')
    const value = response?.body?.type === 'value' ? response.body.value : undefined
    expect(JSON.stringify(value)).toBe('{"b":1,"a":2,"1x":3}')
  })

  it('refers to a blob that is listed', () => {
    expect(exchangeWith('  body-base64: blob:a.png@0+3\nblobs: { a.png: 3 }\n').response?.body).toEqual({
      type: 'base64',
      base64: 'blob:a.png@0+3',
    })
  })

  it('is text where it looks like a reference to a blob that is not listed', () => {
    expect(exchangeWith('  body: blob:a.png@0+3\n').response?.body).toEqual({
      type: 'text',
      text: 'blob:a.png@0+3',
    })
  })
})

describe('a cut in a payload with blobs', () => {
  const blobs = 'blobs: { a.png: 9000000000000 }\n'

  /** The cut at `offset` and the one a byte later: the last place inside, and the first outside. */
  it.each([
    ['a value', '  cuts: [CUT]\n  body: { data: "blob:a.png@0+9" }\n', '{\n  "data": "123456789012"\n}\n'],
    ['a text', `  cuts: [CUT]\n  body: '{"data":"blob:a.png@0+8"}'\n`, '{"data":"123456789012"}'],
    ['bytes', '  cuts: [CUT]\n  body-base64: blob:a.png@5+7\n', '1234567'],
    [
      'an event',
      `  events:\n    - cuts: [CUT]\n      data: '{"data":"blob:a.png@0+7"}'\n`,
      'data: {"data":"123456789012"}\r\n\r\n',
    ],
    ['a text that only looks like it', '  cuts: [CUT]\n  body: blob:a.png@0+9\n', 'blob:a.png@0+9'],
  ])('counts the bytes on the wire: %s', (_what, yaml, wire) => {
    const last = wire.length - 1
    expect(exchangeWith(`${yaml.replace('CUT', String(last))}${blobs}`).request.method).toBe('POST')
    const { message } = mistakeOf(() => exchangeWith(`${yaml.replace('CUT', String(last + 1))}${blobs}`))
    expect(message).toContain(`which is ${wire.length} bytes long on the wire`)
  })
})

describe('a cassette that was cut off', () => {
  const whole = `cassette: 1
note: small
---
exchange: interactions
${REQUEST}response:
  at: 3
  status: 200
  events:
    - at: 4
      data: |-
        {"a": "b"}
    - { at: 5, cuts: [3@6], data: "[DONE]" }
end: { at: 7 }
---
exchange: generate-content
${REQUEST}response:
  status: 200
  headers: { content-type: application/json }
  body: { a: [1, "two", { three: null }] }
end: { at: 9, how: client-abort }
`
  const { documents } = parseCassette(whole, options)
  /** Where each document is whole: after its last character, the line feed or not. */
  const ends = [...whole.matchAll(/\n---\n/g)].map(({ index }) => index)

  it('gives, at every byte, what is whole and the place of what is torn', () => {
    for (let length = ends[0] ?? 0; length < whole.length - 1; length += 1) {
      const { cassette, torn } = parseCommitted(whole.slice(0, length), options)
      const complete = ends.filter(end => end <= length).length
      expect(cassette.documents).toEqual(documents.slice(0, complete))
      // Exactly between two documents nothing is missing that could be seen.
      const between = ends.includes(length) || ends.includes(length - 1)
      expect([length, torn?.code]).toEqual([length, between ? undefined : 'WIRETAPE_CASSETTE_INVALID'])
    }
  })

  it('gives everything where nothing is torn', () => {
    expect(parseCommitted(whole, options)).toEqual({
      cassette: parseCassette(whole, options),
      torn: undefined,
    })
    expect(parseCommitted(whole.slice(0, -1), options).torn).toBeUndefined()
  })

  it('is an error for whoever wants all of it', () => {
    const { code, message } = mistakeOf(() => parseCassette(whole.slice(0, -3), options))
    expect(code).toBe('WIRETAPE_CASSETTE_INVALID')
    expect(message).toContain('exchange 2 is torn: it does not reach its `end`')
  })

  it('says nothing of being torn where it is only wrong', () => {
    const wrong = whole.replace('status: 200', 'statsu: 200')
    expect(mistakeOf(() => parseCommitted(wrong, options)).message).toContain('unknown key: `statsu`')
  })

  it('keeps its torn document apart from what was appended later', () => {
    const [start = 0, end = 0] = ends
    const tail = whole.slice(end)
    for (let length = start + 5; length < end; length += 7) {
      const { cassette, torn } = parseCommitted(whole.slice(0, length) + tail, options)
      expect(cassette.documents).toEqual(documents.slice(0, 1))
      expect(torn?.message).toContain('exchange 1 is torn')
    }
  })
})

describe('a cassette that was edited at random', () => {
  const texts = shipped.map(file => readFileSync(resolve(root, 'cassettes', file), 'utf8'))
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.oneof(fc.nat(3), fc.nat(400)),
    put: fc.oneof(
      fc.constantFrom(
        '',
        '\n',
        '---\n',
        '...\n',
        ': ',
        '- ',
        '"',
        "'",
        '{',
        '[',
        '|',
        '&a ',
        '*a',
        '!',
        '#',
        '\t',
      ),
      fc.string({ maxLength: 4 }),
    ),
  })

  it('is read, or refused with a coded error at a place that exists', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        (text, edits) => {
          const edited = edits.reduce((now, { at, drop, put }) => {
            const start = Math.floor(at * now.length)
            return now.slice(0, start) + put + now.slice(start + drop)
          }, text)
          try {
            parseCassette(edited, options)
          } catch (error) {
            if (!(error instanceof WiretapeError)) throw error
            const { line, column } = error.details
            expect(Number(line)).toBeLessThanOrEqual(edited.split('\n').length)
            expect(Number(column)).toBeGreaterThanOrEqual(1)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('the limits', () => {
  const text = `cassette: 1\n---\nexchange: unknown\n${REQUEST}end: { how: truncated }\n`
  const limits = { kept: 1000, size: 1000, documents: 2, depth: 80, aliases: 100 }

  it('hold for the size of a file', () => {
    const tight = { ...options, limits: { ...limits, size: text.length - 1 } }
    expect(mistakeOf(() => parseCassette(text, tight)).message).toContain('too large for a cassette')
    expect(mistakeOf(() => cassetteText(new TextEncoder().encode(text), tight)).message).toContain(
      'too large',
    )
    expect(
      parseCassette(text, { ...options, limits: { ...limits, size: text.length } }).documents,
    ).toHaveLength(2)
  })

  it('hold for the number of documents', () => {
    expect(parseCassette(text, { ...options, limits }).documents).toHaveLength(2)
    const more = `${text}---\ncassette: 1\n`
    const { message, details } = mistakeOf(() => parseCassette(more, { ...options, limits }))
    expect(message).toContain('more than 2 documents')
    expect(details).toMatchObject({ line: 8, column: 1 })
  })

  it.each([
    ['flow lists', '['.repeat(100_000)],
    ['flow mappings', '{a: '.repeat(50_000)],
    ['block lists', '- '.repeat(50_000)],
    ['block mappings', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('end the reading of %s that are nested without end', (_what, nested) => {
    const { message } = mistakeOf(() => parseCassette(`cassette: 1\n---\nx-a:\n  ${nested}\n`, options))
    expect(message).toContain('nested more than 80 deep')
  })

  it('end the reading of aliases that multiply', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 9 }, () => (level === 0 ? 'lol' : `*a${level - 1}`))
      return `x-${level}: &a${level} [${items.join(', ')}]\n`
    })
    const { message } = mistakeOf(() => parseCassette(`cassette: 1\n${levels.join('')}`, options))
    expect(message).toContain('more than 100 aliases')
  })
})

describe('the blobs of a cassette', () => {
  const text = `cassette: 1\n---\nexchange: unknown\n${REQUEST}blobs: { a.png: 300, b.wav: 40 }\nend: { how: truncated }\n`
  const cassette = parseCassette(text, options)

  it('are right if each is there in its length', () => {
    const lengths = new Map([
      ['a.png', 300],
      ['b.wav', 40],
    ])
    expect(() => checkBlobs(cassette, name => lengths.get(name))).not.toThrow()
  })

  it('are missed at their place', () => {
    const mistake = mistakeOf(() => checkBlobs(cassette, name => (name === 'a.png' ? 300 : undefined)))
    expect(mistake.code).toBe('WIRETAPE_CASSETTE_INVALID')
    expect(mistake.message).toContain('x.cassette.yaml:7:22: the blob `b.wav` is missing')
    expect(mistake.hint).toContain('.blobs')
  })

  it.each([
    ['the pointer of Git LFS', 131, 'git lfs pull'],
    ['one whose line ends were changed', 301, '-text'],
  ])('are compared with their length: %s', (_what, length, hint) => {
    const mistake = mistakeOf(() => checkBlobs(cassette, () => length))
    expect(mistake.message).toContain(`x.cassette.yaml:7:10: the blob \`a.png\` is ${length} bytes long`)
    expect(mistake.hint).toContain(hint)
  })

  it('have the place of their document where the cassette was made by a program', () => {
    const made = structuredClone(cassette)
    const { message, details } = mistakeOf(() => checkBlobs(made, () => undefined))
    expect(message).toContain('x.cassette.yaml:3:1: the blob `a.png` is missing')
    expect(details).toMatchObject({ line: 3, column: 1 })
  })
})
