/** The event codec, by byte literals and by the property that no byte is ever lost. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeEvent, EOLS, readStream, splitStream, type Eol, type SseEvent } from '../../src/wire/sse.ts'
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'

const utf8 = encodeUtf8

/** What each piece is: its event, or its bytes as text. */
function read(stream: string, eol: Eol): (SseEvent | string)[] {
  const bytes = utf8(stream)
  return splitStream(bytes, eol).map(
    ({ start, end, event }) => event ?? decodeUtf8(bytes.subarray(start, end)) ?? '',
  )
}

describe('encoding an event', () => {
  it('spells event, id, retry and data in that order, one blank after each colon', () => {
    const event = { event: 'step', id: '7', retry: '3000', data: '{}' }
    expect(encodeEvent(event, 'lf')).toEqual(utf8('event: step\nid: 7\nretry: 3000\ndata: {}\n\n'))
  })

  it('writes one data line for each line of the data, with the line end of the stream', () => {
    expect(encodeEvent({ data: 'a\n\nb' }, 'crlf')).toEqual(utf8('data: a\r\ndata: \r\ndata: b\r\n\r\n'))
    expect(encodeEvent({ data: 'a\nb' }, 'cr')).toEqual(utf8('data: a\rdata: b\r\r'))
  })

  it('writes data that is not text byte by byte', () => {
    const data = Uint8Array.of(0xff, 0x0a, 0xfe)
    expect(encodeEvent({ data }, 'lf')).toEqual(
      concatBytes([utf8('data: '), Uint8Array.of(0xff), utf8('\ndata: '), Uint8Array.of(0xfe), utf8('\n\n')]),
    )
  })
})

describe('splitting a stream', () => {
  it('reads the events of a stream in its own line end', () => {
    expect(read('data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', 'crlf')).toEqual([
      { data: '{"a":1}' },
      { data: '{"b":2}' },
    ])
    expect(read('event: interaction.start\ndata: {}\n\nevent: done\ndata: [DONE]\n\n', 'lf')).toEqual([
      { event: 'interaction.start', data: '{}' },
      { event: 'done', data: '[DONE]' },
    ])
  })

  it('reads data of several lines, of none, and of an empty one', () => {
    expect(read('data: a\ndata: b\n\nevent: ping\n\ndata: \n\n', 'lf')).toEqual([
      { data: 'a\nb' },
      { event: 'ping' },
      { data: '' },
    ])
  })

  it.each([
    ['a comment', ': ping\n\n'],
    ['a field without a blank after the colon', 'data:{}\n\n'],
    ['fields in another order', 'data: {}\nevent: a\n\n'],
    ['a field that no event has', 'other: 1\ndata: {}\n\n'],
    ['a carriage return in the data', 'data: a\rb\n\n'],
    ['a carriage return in another field', 'id: a\rb\n\n'],
    ['the line end of another kind of stream', 'data: a\r\n\n'],
    ['a blank line with nothing before it', '\n\n'],
    ['a byte order mark', '\uFEFFdata: a\n\n'],
  ])('keeps %s raw, and reads on after it', (_, odd) => {
    expect(read(`${odd}data: {}\n\n`, 'lf')).toEqual([odd, { data: '{}' }])
  })

  it('keeps a bare line feed in a stream of CRLF raw', () => {
    expect(read('data: a\nb\r\n\r\nid: a\nb\r\n\r\n', 'crlf')).toEqual([
      'data: a\nb\r\n\r\n',
      'id: a\nb\r\n\r\n',
    ])
  })

  it('keeps a last piece raw that has no blank line after it', () => {
    expect(read('data: a\n\ndata: b\n', 'lf')).toEqual([{ data: 'a' }, 'data: b\n'])
    expect(read('data: a\r\n\r\ndata: b\r\n\r', 'crlf')).toEqual([{ data: 'a' }, 'data: b\r\n\r'])
  })

  it('keeps a blank line raw that ends the stream', () => {
    expect(read('data: a\n\n\n', 'lf')).toEqual([{ data: 'a' }, '\n'])
    expect(read('\r', 'cr')).toEqual(['\r'])
  })

  it('reads data that is not UTF-8 as bytes, and the fields beside it as text', () => {
    const bytes = concatBytes([utf8('event: é\ndata: '), Uint8Array.of(0xff, 0xfe), utf8('\n\n')])
    expect(splitStream(bytes, 'lf')).toEqual([
      { start: 0, end: bytes.length, event: { event: 'é', data: Uint8Array.of(0xff, 0xfe) } },
    ])
  })

  it('keeps an event raw whose name is not UTF-8', () => {
    const bytes = concatBytes([utf8('event: '), Uint8Array.of(0xff), utf8('\ndata: a\n\n')])
    expect(splitStream(bytes, 'lf')).toEqual([{ start: 0, end: bytes.length, event: undefined }])
    const alone = concatBytes([utf8('event: '), Uint8Array.of(0xff), utf8('\n\n')])
    expect(splitStream(alone, 'lf')).toEqual([{ start: 0, end: alone.length, event: undefined }])
  })

  it('finds nothing in an empty stream', () => {
    expect(splitStream(new Uint8Array(), 'lf')).toEqual([])
  })
})

describe('choosing the line end of a stream', () => {
  it('takes the usual one where it leaves nothing raw', () => {
    expect(readStream(utf8('data: a\r\n\r\n'), 'crlf').eol).toBe('crlf')
    expect(readStream(new Uint8Array(), 'cr').eol).toBe('cr')
  })

  it('takes another where that leaves fewer bytes raw', () => {
    expect(readStream(utf8('data: a\n\ndata: b\n\n'), 'crlf').eol).toBe('lf')
    expect(readStream(utf8('data: a\r\n\r\ndata: b\r\n\r\n: c\n\n'), 'lf').eol).toBe('crlf')
    expect(readStream(utf8('data: a\r\r'), 'lf').eol).toBe('cr')
  })

  it('keeps the usual one where no other is better', () => {
    expect(readStream(utf8('not a stream'), 'lf').eol).toBe('lf')
  })
})

/** Bytes that are often nearly a stream. */
const almostStream = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'data: ',
        'event: ',
        'id: ',
        'retry: ',
        '\r\n',
        '\n',
        '\r',
        '\n\n',
        '\r\n\r\n',
        ': ',
        'é',
        '\u{1F600}',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.uint8Array({ maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map(pieces => concatBytes(pieces.map(piece => (typeof piece === 'string' ? utf8(piece) : piece))))

describe('any bytes at all', () => {
  it('are covered by pieces in order, and every proper event encodes to its own bytes', () => {
    fc.assert(
      fc.property(almostStream, fc.constantFrom(...EOLS), (bytes, usual) => {
        const { eol, pieces } = readStream(bytes, usual)
        const again = pieces.map(({ start, end, event }) =>
          event === undefined ? bytes.subarray(start, end) : encodeEvent(event, eol),
        )
        expect(concatBytes(again)).toEqual(bytes)
        expect(pieces.map(piece => piece.start)).toEqual(
          [0, ...pieces.map(piece => piece.end)].slice(0, pieces.length),
        )
      }),
      { numRuns: 400 },
    )
  })

  it('written as events are read back as the same events', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 8 }).filter(text => !/[\r\n]/.test(text))
    const event = fc.record(
      {
        event: line,
        id: line,
        retry: line,
        data: fc.array(line, { minLength: 1, maxLength: 3 }).map(lines => lines.join('\n')),
      },
      { requiredKeys: ['data'] },
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.constantFrom(...EOLS), (events, eol) => {
        const bytes = concatBytes(events.map(one => encodeEvent(one, eol)))
        expect(splitStream(bytes, eol).map(piece => piece.event)).toEqual(events)
      }),
      { numRuns: 200 },
    )
  })
})
