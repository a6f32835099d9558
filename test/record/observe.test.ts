/** Playbooks of the recorder's engine: what happened, and what must then be written. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import type { JournalRecord } from '../../src/record/journal.ts'
import { createObserver, type RecordCommand, type RecordInput } from '../../src/record/observe.ts'
import { transcribe, type Transcript } from '../../src/record/transcribe.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'

/** A key of the real shape, made of nothing. */
const KEY = ['AI', 'zaSyD-0123456789abcdefghijklmnopqrstu'].join('')

const request: RecordInput = { type: 'request', method: 'POST', url: 'https://h/v1/x', headers: [] }
const response: RecordInput = { type: 'response', status: 200, reason: 'OK', headers: [] }
const end: RecordInput = { type: 'end', how: undefined, trailers: [] }
const chunk = (text: string): RecordInput => ({ type: 'response-chunk', bytes: encodeUtf8(text) })
const sent = (text: string): RecordInput => ({ type: 'request-chunk', bytes: encodeUtf8(text) })

interface Playbook {
  at(now: number, input: RecordInput): Playbook
  writes(...lines: readonly unknown[]): Playbook
  refuses(kind: string, where: string): Playbook
  transcript(): Transcript
}

function playbook(): Playbook {
  const observer = createObserver(createRedactor(SECRET_RULES))
  let produced: readonly RecordCommand[] = []
  const written: JournalRecord[] = []
  const log: string[] = []

  const play: Playbook = {
    at(now, input) {
      produced = observer.observe(input, now)
      log.push(
        `>> ${JSON.stringify(input)} @${now}`,
        ...produced.map(command => `<< ${JSON.stringify(command)}`),
      )
      for (const command of produced) if (command.type === 'write') written.push(...command.records)
      return play
    },
    writes(...lines) {
      const records = produced.flatMap(command => (command.type === 'write' ? command.records : []))
      const told = records.map(({ line, bytes }) =>
        bytes === undefined ? line : { ...line, text: Buffer.from(bytes).toString() },
      )
      expect(told, `\n${log.join('\n')}\n`).toEqual(lines)
      return play
    },
    refuses(kind, where) {
      expect(produced, `\n${log.join('\n')}\n`).toEqual([{ type: 'refuse', kind, where }])
      return play
    },
    transcript() {
      const transcript = transcribe(written)
      if (transcript === undefined) throw new Error('nothing was written')
      return transcript
    },
  }
  return play
}

function texts({ exchange }: Transcript): readonly string[] {
  return exchange.response?.chunks.map(({ bytes }) => Buffer.from(bytes).toString()) ?? []
}

describe('observing an exchange', () => {
  it('writes each thing as it happens, in microseconds from the request on', () => {
    playbook()
      .at(5.12345, request)
      .writes({ journal: 1, at: 5.123, method: 'POST', url: 'https://h/v1/x', headers: [] })
      .at(5.2, sent('{}'))
      .writes({ at: 0.077, sent: 2, text: '{}' })
      .at(6, { type: 'request-end' })
      .writes({ at: 0.877, sent: 'end' })
      .at(10.12345, response)
      .writes({ at: 5, status: 200, reason: 'OK', headers: [] })
      .at(11.12345, chunk('data: 1\r\n\r\n'))
      .writes({ at: 6, chunk: 11, text: 'data: 1\r\n\r\n' })
      .at(12.12345, end)
      .writes({ at: 7, end: 'complete', trailers: [] })
      .at(13, chunk('too late'))
      .writes()
  })

  it('reads back as the exchange that it was', () => {
    const { exchange, lost } = playbook()
      .at(5, request)
      .at(6, sent('{"a":'))
      .at(6, sent('1}'))
      .at(7, { type: 'request-end' })
      .at(8, { type: 'response', status: 429, reason: 'Slow Down', headers: [['A', 'b']] })
      .at(9, chunk('one'))
      .at(9.5, chunk('two'))
      .at(10, { type: 'end', how: 'upstream-reset', trailers: [['T', '1']] })
      .transcript()
    expect(lost).toBe(0)
    expect(exchange).toEqual({
      at: 5,
      request: { method: 'POST', url: 'https://h/v1/x', headers: [], body: encodeUtf8('{"a":1}') },
      response: {
        at: 3,
        status: 429,
        reason: 'Slow Down',
        headers: [['A', 'b']],
        chunks: [
          { at: 4, bytes: encodeUtf8('one') },
          { at: 4.5, bytes: encodeUtf8('two') },
        ],
        trailers: [['T', '1']],
      },
      end: { at: 5, how: 'upstream-reset' },
    })
  })

  it('names no reason phrase that is the usual one', () => {
    expect(playbook().at(0, request).at(1, response).transcript().exchange.response?.reason).toBe(undefined)
  })

  it('without an end was cut short, when its last record was written', () => {
    const { exchange } = playbook().at(0, request).at(1, response).at(2, chunk('x')).transcript()
    expect(exchange.end).toEqual({ at: 2, how: 'truncated' })
    expect(playbook().at(0, request).transcript().exchange).toMatchObject({
      response: undefined,
      end: { at: 0, how: 'truncated' },
    })
  })
})

describe('observing secrets', () => {
  it('writes none: not in the URL, the headers, the bodies, the reason or the trailers', () => {
    const play = playbook()
    const seen: string[] = []
    const inputs: RecordInput[] = [
      { ...request, url: `https://h/v1/x?key=${KEY}`, headers: [['x-goog-api-key', KEY]] },
      sent(`{"a":"${KEY}"}`),
      { type: 'request-end' },
      { ...response, reason: KEY, headers: [['x', `a ${KEY}`]] },
      chunk(`data: ${KEY}\n\n`),
      { ...end, trailers: [['x', KEY]] },
    ]
    for (const input of inputs) seen.push(JSON.stringify(play.at(1, input).transcript()))
    expect(JSON.stringify(play.transcript())).not.toContain(KEY)
    expect(seen.join('\n')).not.toContain(KEY.slice(0, 12))
  })

  it('keeps the edges of chunks: one inside a secret goes to the end of its placeholder', () => {
    const body = `data: 1\n\ndata: "${KEY}"\n\ndata: 2\n\n`
    const inside = body.indexOf(KEY) + 10
    const play = playbook()
      .at(0, request)
      .at(1, response)
      .at(2, chunk(body.slice(0, 5)))
      .at(3, chunk(body.slice(5, inside)))
      .at(4, chunk(body.slice(inside, -4)))
      .at(5, chunk(body.slice(-4)))
      .at(6, end)
    const [one, two, three, four, ...more] = texts(play.transcript())
    expect(more).toEqual([])
    expect([one, three, four]).toEqual(['data:', '"\n\ndata:', ' 2\n\n'])
    expect(two).toMatch(/^ 1\n\ndata: "redacted-api-key-\d+$/)
  })

  it('loses at most what was held back when it is killed, and knows how much', () => {
    const play = playbook()
      .at(0, request)
      .at(1, response)
      .at(2, chunk(`data: 1\n\ndata: "${KEY.slice(0, 12)}`))
    const transcript = play.transcript()
    const kept = texts(transcript).join('')
    expect('data: 1\n\ndata: "'.startsWith(kept)).toBe(true)
    expect(kept.length + transcript.lost).toBe('data: 1\n\ndata: "'.length + 12)
    expect(transcript.exchange.end.how).toBe('truncated')
  })

  it('writes what was held back as soon as it is none', () => {
    const play = playbook()
      .at(0, request)
      .at(1, response)
      .at(2, chunk(`data: ${KEY.slice(0, 12)}`))
      .at(3, chunk(' is no key\n\n'))
      .at(4, end)
    expect(texts(play.transcript())).toEqual([`data: ${KEY.slice(0, 12)}`, ' is no key\n\n'])
    expect(play.transcript().lost).toBe(0)
  })

  it('refuses a secret that can not be replaced, and writes nothing after it', () => {
    const hidden = Buffer.from(`{"key": "${KEY}"}`).toString('base64')
    playbook()
      .at(0, request)
      .at(1, response)
      .at(2, chunk(`{"data": "${hidden}"}\n\n`))
      .refuses('api-key', 'the response body')
      .at(3, end)
      .writes()
  })
})

describe('any answer, in any chunks', () => {
  const piece = fc.oneof(
    fc.constantFrom('data: ', '\r\n\r\n', KEY, KEY.slice(0, 20), 'é', '{"text": "', '"}'),
    fc.string({ maxLength: 8 }),
  )

  it('reads back in full, with the edges that it came with', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat(300), { maxLength: 8 }),
        (pieces, cuts) => {
          const body = encodeUtf8(pieces.join(''))
          const edges = [
            ...new Set([...cuts.filter(cut => cut > 0 && cut < body.length), body.length]),
          ].toSorted((a, b) => a - b)
          const play = playbook().at(0, request).at(1, response)
          let from = 0
          for (const edge of edges) {
            if (edge > from) play.at(edge, { type: 'response-chunk', bytes: body.subarray(from, edge) })
            from = edge
          }
          play.at(1000, end)
          const redactor = createRedactor(SECRET_RULES).body()
          const whole = [redactor.push(body), redactor.end()]
          const expected = concatBytes(whole.map(({ bytes }) => bytes))
          const { exchange, lost } = play.transcript()
          const chunks = exchange.response?.chunks ?? []
          expect(lost).toBe(0)
          expect(Buffer.from(concatBytes(chunks.map(({ bytes }) => bytes))).toString('latin1')).toBe(
            Buffer.from(expected).toString('latin1'),
          )
          const replaced = whole.flatMap(redacted => redacted.replaced)
          if (replaced.length === 0)
            expect(chunks.map(({ at }) => at)).toEqual(body.length === 0 ? [] : edges)
        },
      ),
      { numRuns: 200 },
    )
  })
})
