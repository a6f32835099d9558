/** Playbooks of a recorded socket: what happened, what must then be written, and what is read back. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { encodeRecords, readJournal, type JournalRecord } from '../../src/record/journal.ts'
import { createObserver, type RecordCommand, type RecordInput } from '../../src/record/observe.ts'
import { transcribe } from '../../src/record/transcribe.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'

/** A key of the real shape, made of nothing. */
const KEY = ['AI', 'zaSyD-0123456789abcdefghijklmnopqrstu'].join('')
const HANDLE = 'Cih4a2JkN3Y1cWJ0dGxoZ2Y0eWFiY2RlZmdoaWprbG1ub3A'

const request: RecordInput = { type: 'request', method: 'GET', url: 'wss://h/ws/live', headers: [] }
const open: RecordInput = { type: 'open' }
const end: RecordInput = { type: 'end', how: undefined, trailers: [] }

function says(from: 'client' | 'server', text: string, frame: 'text' | 'binary' = 'text'): RecordInput {
  return { type: 'message', from, frame, bytes: encodeUtf8(text) }
}

function closes(code: number | undefined, reason = ''): RecordInput {
  return { type: 'close', by: 'server', code, reason }
}

function observed(...inputs: readonly RecordInput[]): readonly RecordCommand[] {
  const observer = createObserver(createRedactor(SECRET_RULES))
  return inputs.flatMap((input, index) => observer.observe(input, 10 + index))
}

function recordsOf(commands: readonly RecordCommand[]): readonly JournalRecord[] {
  return commands.flatMap(command => (command.type === 'write' ? command.records : []))
}

function written(...inputs: readonly RecordInput[]): string {
  return Buffer.concat(encodeRecords(recordsOf(observed(...inputs)))).toString()
}

function readBack(...inputs: readonly RecordInput[]): WireExchange {
  const records = recordsOf(observed(...inputs))
  const transcript = transcribe(readJournal(concatBytes(encodeRecords(records)), 'j').records)
  if (transcript === undefined) throw new Error('nothing was written')
  expect(transcript.lost).toBe(0)
  return transcript.exchange
}

describe('a socket that is recorded', () => {
  it('is a journal of its messages, each as it was sent', () => {
    const journal = written(
      request,
      open,
      says('client', '{"setup":{}}'),
      says('server', '{}\n', 'binary'),
      says('server', ''),
      closes(1011, 'Internal error.'),
      end,
    )
    expect(journal).toBe(`{"journal":1,"at":10,"method":"GET","url":"wss://h/ws/live","headers":[]}
{"at":1,"open":true}
{"at":2,"from":"client","op":"text","bytes":12}
{"setup":{}}
{"at":3,"from":"server","op":"binary","bytes":3}
{}

{"at":4,"from":"server","op":"text"}
{"at":5,"close":{"by":"server","code":1011,"reason":"Internal error."}}
{"at":6,"end":"complete","trailers":[]}
`)
  })

  it('is read back: messages, frames, times, close, end', () => {
    expect(
      readBack(request, open, says('client', 'a'), says('server', '', 'binary'), closes(undefined), end),
    ).toEqual({
      at: 10,
      request: { method: 'GET', url: 'wss://h/ws/live', headers: [], body: undefined },
      response: undefined,
      socket: {
        messages: [
          { at: 2, from: 'client', frame: 'text', bytes: encodeUtf8('a') },
          { at: 3, from: 'server', frame: 'binary', bytes: new Uint8Array() },
        ],
        close: { at: 4, by: 'server', code: undefined, reason: '' },
      },
      end: { at: 5, how: undefined },
    })
  })

  it('without a close frame was lost, and the end says by whom', () => {
    const lost: RecordInput = { type: 'end', how: 'upstream-reset', trailers: [] }
    const { socket, end: ended } = readBack(request, open, says('client', 'a'), lost)
    expect(socket?.close).toBeUndefined()
    expect(ended.how).toBe('upstream-reset')
  })

  it('whose recorder was killed is truncated, with all that was written', () => {
    const { socket, end: ended } = readBack(request, open, says('client', 'a'), says('server', 'b'))
    expect(socket?.messages).toHaveLength(2)
    expect(ended).toEqual({ at: 3, how: 'truncated' })
  })

  it('is open before its first message, and refused where a response comes instead', () => {
    expect(readBack(request, open).socket).toEqual({ messages: [], close: undefined })
    const refusal: RecordInput = { type: 'response', status: 403, reason: 'Forbidden', headers: [] }
    const refused = readBack(request, refusal, { type: 'response-chunk', bytes: encodeUtf8('No.') }, end)
    expect(refused).toMatchObject({ response: { status: 403 }, end: { how: undefined } })
    expect(refused.socket).toBeUndefined()
  })

  it('says nothing after its close', () => {
    const { socket } = readBack(request, open, closes(1000), says('server', 'late'), closes(1001), end)
    expect(socket).toEqual({ messages: [], close: { at: 2, by: 'server', code: 1000, reason: '' } })
  })
})

describe('a message', () => {
  it.each(['text', 'binary'] as const)(
    'in a %s frame has its secrets taken out, and the same one everywhere',
    frame => {
      const update = JSON.stringify(
        { sessionResumptionUpdate: { newHandle: HANDLE, resumable: true } },
        undefined,
        2,
      )
      const model = 'projects/my-project-17/locations/us-central1/publishers/google/models/m'
      const setup = JSON.stringify({ setup: { model, sessionResumption: { handle: HANDLE } } })
      const { socket } = readBack(
        request,
        open,
        says('server', update, frame),
        says('client', setup, frame),
        end,
      )
      const texts = socket?.messages.map(({ bytes }) => Buffer.from(bytes).toString())
      expect(texts).toEqual([
        update.replace(HANDLE, 'redacted-session-handle-1'),
        setup.replace(HANDLE, 'redacted-session-handle-1').replace('my-project-17', 'redacted-project-1'),
      ])
    },
  )

  it('has keys and tokens taken out, also those that the address was seen to have', () => {
    const token = 'auth_tokens/0123456789abcdef0123'
    const dial: RecordInput = {
      type: 'request',
      method: 'GET',
      url: `wss://h/ws/live?access_token=${token}`,
      headers: [['x-goog-api-key', KEY]],
    }
    const journal = written(
      dial,
      open,
      says('client', `{"a":"${KEY}","b":"${token}"}`),
      says('server', KEY, 'binary'),
    )
    expect(journal).not.toContain(KEY.slice(0, 12))
    expect(journal).not.toContain('0123456789abcdef')
    expect(journal).toContain('{"a":"redacted-api-key-1","b":"auth_tokens/redacted-auth-token-1"}')
  })

  it('with a key inside base64 stops the recording, and nothing of it is written', () => {
    const sealed = Buffer.from(`key ${KEY} key`).toString('base64')
    const commands = observed(
      request,
      open,
      says('client', `{"data":"${sealed}"}`),
      says('server', 'late'),
      end,
    )
    expect(commands.at(-1)).toEqual({ type: 'refuse', kind: 'api-key', where: 'a message of the client' })
    expect(recordsOf(commands)).toHaveLength(2)
  })

  it('of any bytes without a secret is written as it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom('text', 'binary'), (bytes, frame) => {
        const { socket } = readBack(request, open, { type: 'message', from: 'server', frame, bytes })
        expect(socket?.messages).toEqual([{ at: 2, from: 'server', frame, bytes }])
      }),
      { numRuns: 200 },
    )
  })
})

describe('the reason of a close', () => {
  it('has its secrets taken out, and still fits into a close frame', () => {
    const reason = `${'é'.repeat(50)} project 123456 has no access.`
    const { socket } = readBack(request, open, closes(1008, reason), end)
    expect(socket?.close?.reason).toBe(`${'é'.repeat(50)} project redacted-proje`)
    expect(encodeUtf8(socket?.close?.reason ?? '')).toHaveLength(123)
  })
})

describe('a journal of a socket', () => {
  const head = '{"journal":1,"at":0,"method":"GET","url":"wss://h/","headers":[]}\n'

  it.each([
    ['an opening that is none', '{"at":1,"open":false}\n'],
    ['a message of nobody', '{"at":1,"from":"proxy","op":"text"}\n'],
    ['a message of no kind', '{"at":1,"from":"client","op":"ping"}\n'],
    ['a close of nobody', '{"at":1,"close":{"by":"proxy","reason":""}}\n'],
    ['a close without a reason', '{"at":1,"close":{"by":"client"}}\n'],
    ['a close that is none', '{"at":1,"close":null}\n'],
    ['a code that is none', '{"at":1,"close":{"by":"client","code":"1000","reason":""}}\n'],
  ])('with %s is damaged', (_what, line) => {
    expect(() => readJournal(encodeUtf8(head + line), 'j')).toThrow('The journal j is damaged at byte 66.')
  })
})
