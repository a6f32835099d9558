/** A cassette on a screen: what is put together and what is not, what is shortened, and what has no JSON. */
import { describe, expect, it } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import { cassetteLines } from '../../src/view/lines.ts'
import { showCassette } from '../../src/view/timeline.ts'
import type { Detail } from '../../src/view/words.ts'

const STREAM = 'https://a.example/v1/models/m:streamGenerateContent?alt=sse'

function parse(...documents: readonly string[]) {
  return parseCassette(['cassette: 1\n', ...documents].join('---\n'), { file: 'a.cassette.yaml' })
}

/** The rows below the lanes' heading of the last exchange. */
function rows(document: string, detail: Detail = 'short', width = 80): string[] {
  const text = showCassette(parse(document), { width, detail, paint: (_tone, part) => part })
  const lines = text.trimEnd().split('\n')
  return lines.slice(lines.findLastIndex(line => /^ +client +service$/.test(line)) + 1)
}

function stream(...events: readonly string[]): string {
  return `exchange: generate-content
request:
  method: POST
  url: ${STREAM}
response:
  status: 200
  events:
${events.map(event => `    - ${event.replaceAll('\n', '\n      ')}\n`).join('')}end: {}
`
}

function live(messages: readonly string[], rest = ''): string {
  return `exchange: live
request:
  url: wss://a.example/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent
messages:
${messages.map(message => `  - ${message}\n`).join('')}${rest}end: {}
`
}

const text = (words: string, more = '') =>
  `data: '{"candidates": [{"content": {"parts": [{"text": "${words}"}]}${more}}]}'`

describe('what comes in pieces', () => {
  it('is put together, with when the last piece came', () => {
    expect(rows(stream(`at: 5\n${text('High')}`, `at: 9\n${text(' tide')}`, `at: 12\n${text('.')}`))).toEqual(
      [
        '                                   200',
        '  0.005 s                          High tide.  (3 pieces, until 0.012 s)',
      ],
    )
  })

  it('is parted by what is of another kind, and by what happens between', () => {
    const thought = `data: '{"candidates": [{"content": {"parts": [{"text": "Hm.", "thought": true}]}}]}'`
    const signed = `data: '{"candidates": [{"content": {"parts": [{"text": "b", "thoughtSignature": "c2ln"}]}}]}'`
    expect(rows(stream(text('a'), thought, thought, text('a'), signed, text('c')))).toEqual([
      '                                   200',
      '                                   a',
      '                                   thinks Hm.Hm.  (2 pieces)',
      '                                   ab  (2 pieces)',
      '                                   signature c2ln',
      '                                   c',
    ])
  })

  it('is kept apart by candidate', () => {
    const second = `data: '{"candidates": [{"index": 1, "content": {"parts": [{"text": "x"}]}}]}'`
    expect(rows(stream(text('a'), second, second, text('b')))).toEqual([
      '                                   200',
      '                                   a',
      '                                   [1] xx  (2 pieces)',
      '                                   b',
    ])
  })

  it('stays apart in a body, which says its parts one by one', () => {
    const parts = rows(`exchange: generate-content
request:
  method: POST
  url: ${STREAM}
  body: { contents: [{ parts: [{ text: One. }, { text: Two. }] }] }
end: { how: client-abort }
`)
    expect(parts).toEqual(['  0.000 s  One.', '           Two.', '           client-abort'])
  })

  it('of sound is added up, beside words and beside the other side', () => {
    const sound = (side: string) =>
      side === 'client'
        ? 'client: { realtimeInput: { audio: { mimeType: audio/pcm;rate=16000, data: AAAAAAAA } } }'
        : 'server: { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: image/png, data: AAAA } }] } } }'
    const heard = (words: string) => `server: { serverContent: { inputTranscription: { text: ${words} } } }`
    expect(
      rows(
        live([
          sound('client'),
          heard('"Is "'),
          sound('server'),
          sound('client'),
          heard('it?'),
          sound('server'),
        ]),
      ),
    ).toEqual([
      '           0.000 s of audio/pcm;rate=16000  (2 pieces)',
      '                                   hears Is it?  (2 pieces)',
      '                                   image/png 6 B  (2 pieces)',
    ])
  })

  it('of another type of media is another row', () => {
    const picture = (type: string) =>
      `server: { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: ${type}, data: AAAA } }] } } }`
    expect(rows(live([picture('image/png'), picture('image/webp'), picture('""')]))).toEqual([
      '                                   image/png 3 B',
      '                                   image/webp 3 B',
      '                                   media 3 B',
    ])
  })
})

describe('the counts of tokens', () => {
  it('are told once, where the last of them came', () => {
    const usage = (total: number) => `,"usageMetadata": {"totalTokenCount": ${total}}`
    const event = (at: number, words: string, total: number) =>
      `at: ${at}\ndata: '{"candidates": [{"content": {"parts": [{"text": "${words}"}]}}]${usage(total)}}'`
    expect(rows(stream(event(1, 'a', 3), event(2, 'b', 4)))).toEqual([
      '                                   200',
      '  0.001 s                          ab  (2 pieces, until 0.002 s)',
      '  0.002 s                          tokens: 4 in all',
    ])
  })

  it('are told for each turn of a session', () => {
    const usage = (total: number) => `server: { usageMetadata: { totalTokenCount: ${total} } }`
    const ask = 'client: { clientContent: { turns: [{ parts: [{ text: Go on. }] }] } }'
    expect(rows(live([usage(1), usage(2), ask, usage(3), 'server: { usageMetadata: {} }']))).toEqual([
      '                                   tokens: 2 in all',
      '           Go on.',
      '                                   tokens: none',
    ])
  })
})

describe('what is no JSON', () => {
  it('is shown as text, or by its length', () => {
    expect(
      rows(
        stream(
          'data: High tide.',
          'raw: ": ping\\r\\n"',
          'data-base64: AAEC',
          'raw-base64: AAECAw==',
          'event: end',
        ),
      ),
    ).toEqual([
      '                                   200',
      '                                   High tide.',
      '                                   raw : ping\\u000d ⏎',
      '                                   3 B',
      '                                   raw 4 B',
      '                                   event end',
    ])
  })

  it('is measured in its blob where it is in one', () => {
    const document = `exchange: unknown
request:
  method: POST
  url: https://a.example/upload
  body-base64: "blob:a.bin@0+2500"
response:
  status: 200
  body: { a: 1 }
blobs: { a.bin: 2500 }
end: {}
`
    expect(rows(document)).toEqual([
      '  0.000 s  2.5 kB',
      '                                   200',
      '                                   {"a":1}',
    ])
  })

  it('nor anything else in a message', () => {
    expect(rows(live(['server: {}']))).toEqual([])
    expect(rows(live(['server: {}']), 'full')).toEqual(['                                   says nothing'])
  })
})

describe('media in blobs', () => {
  it('is as long as its stretch', () => {
    const message =
      'server: { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: audio/pcm;rate=24000, data: "blob:a.pcm@0+2400000" } }] } } }'
    expect(rows(live([message], 'blobs: { a.pcm: 2400000 }\n'))).toEqual([
      '                                   50.000 s of audio/pcm;rate=24000',
    ])
    // Without a list of blobs it is base64, or looks like it.
    expect(rows(live([message]))).toEqual([
      '                                   0.000 s of audio/pcm;rate=24000',
    ])
  })
})

describe('what is long', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')

  it('is cut to four lines, and says so', () => {
    const shown = rows(stream(text(words)))
    expect(shown).toHaveLength(5)
    expect(shown.at(-1)).toMatch(/…$/)
  })

  it('is whole with all details', () => {
    expect(
      rows(stream(text(words)), 'full')
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    ).toContain(words)
  })

  it('has its line feeds in all details only', () => {
    const [, short] = rows(stream(text('a\\n\\n b')))
    expect(short?.trim()).toBe('a ⏎ b')
    expect(rows(stream(text('a\\nb')), 'full').slice(1)).toEqual([
      '                                   a',
      '                                   b',
    ])
  })
})

describe('how it ends', () => {
  it.each([
    ['close: { by: client }', '           closes without a code'],
    ['close: { by: server, code: 1000 }', '                                   closes 1000'],
    ['close: { by: server, code: 1011, reason: Oh. }', '                                   closes 1011 Oh.'],
  ])('says who closed, and how: %s', (message, row) => {
    expect(rows(live([message]))).toEqual([row])
  })

  it('says that it was cut', () => {
    const cut = stream(text('a')).replace('end: {}', 'end: { at: 7, how: upstream-reset }')
    expect(rows(cut).at(-1)).toBe('  0.007 s                          upstream-reset')
  })
})

it('shows a header that comes again, names, repeats and headers', () => {
  const again = stream(text('a'))
    .replace('request:', 'name: tides\nrepeat: always\nmatch: route\nrequest:')
    .replace('response:', '  headers: { accept: text/event-stream }\nresponse:')
    .replace('  status: 200', '  status: 429\n  reason: Slow down\n  headers: { x-a: [b, c] }')
  const cassette = parse(stream(text('a')), 'cassette: 1\nrecorded: 2026-11-30T10:12:04Z\n', again)
  const shown = showCassette(cassette, { width: 80, detail: 'full', paint: (_tone, part) => part })
  expect(shown).toMatchInlineSnapshot(`
    "a.cassette.yaml  2 exchanges

    1  POST models/m:streamGenerateContent?alt=sse

               client                  service
                                       200
                                       a

    2026-11-30T10:12:04Z

    2  tides  POST models/m:streamGenerateContent?alt=sse
       repeat: always, match: route

               client                  service
      0.000 s  accept: text/event-stream
                                       429 Slow down
                                       x-a: b
                                       x-a: c
                                       a
    "
  `)
})

it('gives programs what it shows, one by one', () => {
  const call = `data: '{"candidates": [{"content": {"parts": [{"functionCall": {"partialArgs": [{"jsonPath": "$.a", "boolValue": true}], "willContinue": true}}]}}]}'`
  const lines = cassetteLines(
    parse(stream(`at: 3\n${call}`, `at: 4\n${call}`), live(['at: 9\n    close: { by: client }'])),
  )
  expect(lines).toMatchObject([
    { type: 'cassette', file: 'a.cassette.yaml', cassette: 1 },
    { type: 'exchange', exchange: 1, operation: 'POST models/m:streamGenerateContent?alt=sse', line: 3 },
    { type: 'response', exchange: 1, status: 200 },
    { type: 'item', exchange: 1, at: 3, from: 'server', kind: 'arguments', path: '$.a', text: 'true' },
    { type: 'item', exchange: 1, at: 4, kind: 'arguments' },
    { type: 'end', exchange: 1, how: 'complete' },
    { type: 'exchange', exchange: 2, dialect: 'live' },
    { type: 'close', exchange: 2, by: 'client', at: 9 },
    { type: 'end', exchange: 2 },
  ])
})
