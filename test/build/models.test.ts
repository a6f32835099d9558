/** Answers of models, built: what is on the wire for what is written, and what is added by itself. */
import { describe, expect, it } from 'vitest'
import {
  argument,
  at,
  blocked,
  body,
  call,
  candidate,
  cassette,
  chunk,
  cuts,
  data,
  end,
  error,
  fields,
  finish,
  head,
  hold,
  joined,
  media,
  model,
  part,
  raw,
  result,
  streamedCall,
  text,
  thought,
  usage,
  user,
  type CassetteBuilder,
} from '../../src/build/entry.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'
import { chunks, first, wire } from './played.ts'

/** The JSON of each event, without usage and names of the answer. */
function events(builder: CassetteBuilder): readonly unknown[] {
  return chunks(builder).map(chunkText => {
    const {
      usageMetadata: _usage,
      modelVersion: _version,
      responseId: _id,
      ...rest
    } = JSON.parse((chunkText ?? '').replace(/^data: /, '')) as Record<string, unknown>
    return rest
  })
}

function parts(builder: CassetteBuilder): readonly unknown[] {
  return events(builder).map(
    event => (event as { candidates: [{ content: { parts: unknown } }] }).candidates[0].content.parts,
  )
}

const on = (...asked: Parameters<CassetteBuilder['on']>) => cassette().on(...asked)

describe('an answer in one line', () => {
  it('is a whole answer, spelled as the service spells it', () => {
    expect(chunks(on('gemini-2.5-flash', 'Say hello.').answers('Hello.'))).toMatchInlineSnapshot(`
      [
        "{
        "candidates": [
          {
            "content": {
              "parts": [
                {
                  "text": "Hello."
                }
              ],
              "role": "model"
            },
            "finishReason": "STOP",
            "index": 0
          }
        ],
        "usageMetadata": {
          "promptTokenCount": 4,
          "candidatesTokenCount": 2,
          "totalTokenCount": 6
        },
        "modelVersion": "gemini-2.5-flash",
        "responseId": "response-1"
      }
      ",
      ]
    `)
  })

  it('streams a chunk for each text, and finishes the last', () => {
    expect(chunks(on('gemini-2.5-flash', 'Say hello.').streams('Hel', 'lo.'))).toMatchInlineSnapshot(`
      [
        "data: {"candidates": [{"content": {"parts": [{"text": "Hel"}],"role": "model"},"index": 0}],"modelVersion": "gemini-2.5-flash","responseId": "response-1"}

      ",
        "data: {"candidates": [{"content": {"parts": [{"text": "lo."}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 4,"candidatesTokenCount": 2,"totalTokenCount": 6},"modelVersion": "gemini-2.5-flash","responseId": "response-1"}

      ",
      ]
    `)
  })

  it('is asked for as the SDK asks', () => {
    const { request } = wire(on('gemini-2.5-flash', 'Say hello.').answers('Hello.'))
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    })
    expect(decodeUtf8(request.body ?? new Uint8Array())).toContain('Say hello.')
  })
})

describe('a request', () => {
  it.each([
    ['gemini-2.5-flash', 'POST models/gemini-2.5-flash:generateContent'],
    ['models/gemini-2.5-flash', 'POST models/gemini-2.5-flash:generateContent'],
    ['models/gemini-2.5-flash:countTokens', 'POST models/gemini-2.5-flash:countTokens'],
    ['tunedModels/mine', 'POST tunedModels/mine:generateContent'],
    ['GET files/a', 'GET files/a'],
    ['GET models/gemini-2.5-flash', 'GET models/gemini-2.5-flash'],
    ['cachedContents', 'POST cachedContents'],
    ['DELETE /interactions/i', 'DELETE interactions/i'],
  ])('for `%s` goes to %s', (address, expected) => {
    const { method, url } = wire(on(address).answers(body({}))).request
    expect(`${method} ${url}`).toBe(
      expected.replace(' ', ' https://generativelanguage.googleapis.com/v1beta/'),
    )
  })

  it('for a whole address goes there', () => {
    const { url } = wire(on('GET https://api.test/v9/a?b=c').answers(body('x'))).request
    expect(url).toBe('https://api.test/v9/a?b=c')
  })

  it('for a model on Vertex AI goes to its publisher', () => {
    const base = 'https://aiplatform.googleapis.com/v1/projects/redacted-project-1/locations/global'
    expect(wire(cassette({ base }).on('gemini-2.5-flash').streams('Hi.')).request.url).toBe(
      `${base}/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    )
  })

  it('of which nothing is said is matched by its route, any other as the replay is told', () => {
    expect(first(on('gemini-2.5-flash').answers('Hi.'))).toMatchObject({ match: 'route' })
    expect(first(on('gemini-2.5-flash', 'Hello?').answers('Hi.')).match).toBeUndefined()
    expect(first(on('GET files/a').answers(body({}))).match).toBeUndefined()
    const strict = on('gemini-2.5-flash', undefined, { match: 'strict-order' }).answers('Hi.')
    expect(first(strict).match).toBe('strict-order')
  })

  it('has the name, the note, the moment and the repeat that it is given', () => {
    const more = {
      name: 'hello',
      note: 'Often.',
      at: 40,
      repeat: 3,
      headers: { Accept: 'text/event-stream' },
    }
    expect(first(on('gemini-2.5-flash', 'Hi?', more).answers('Hi.'))).toMatchObject({
      name: 'hello',
      note: 'Often.',
      at: 40,
      repeat: 3,
      request: { headers: [['accept', 'text/event-stream']] },
    })
  })

  it('can be a conversation with calls, their signatures and their results', () => {
    const asked = call('get_tide', { harbour: 'Whitby' }, { id: 'c1', signature: 'c2ln' })
    const turns = [user('When?'), model(asked), user(result('get_tide', { time: '16:42' }, { id: 'c1' }))]
    const { body: sent } = wire(on('gemini-2.5-flash', turns).answers('At 16:42.')).request
    expect(JSON.parse(decodeUtf8(sent ?? new Uint8Array()) ?? '')).toEqual({
      contents: [
        { parts: [{ text: 'When?' }], role: 'user' },
        {
          parts: [
            {
              functionCall: { name: 'get_tide', args: { harbour: 'Whitby' }, id: 'c1' },
              thoughtSignature: 'c2ln',
            },
          ],
          role: 'model',
        },
        {
          parts: [{ functionResponse: { id: 'c1', name: 'get_tide', response: { time: '16:42' } } }],
          role: 'user',
        },
      ],
    })
  })
})

describe('what is said', () => {
  it('becomes a part each', () => {
    const said = on('m').streams(
      thought('Hm.', { signature: 'QQ==' }),
      text('Well', { signature: 'Qg==' }),
      call('f', { a: 1 }, { id: 'x', signature: 'Qw==' }),
      part({ executableCode: { language: 'PYTHON', code: '1' } }),
      media('image/png', Uint8Array.of(1, 2, 3)),
      '',
    )
    expect(parts(said)).toEqual([
      [{ text: 'Hm.', thought: true, thoughtSignature: 'QQ==' }],
      [{ text: 'Well', thoughtSignature: 'Qg==' }],
      [{ functionCall: { name: 'f', args: { a: 1 }, id: 'x' }, thoughtSignature: 'Qw==' }],
      [{ executableCode: { language: 'PYTHON', code: '1' } }],
      [{ inlineData: { mimeType: 'image/png', data: 'AQID' } }],
      [{ text: '' }],
    ])
  })

  it('is numbered where a call has no id, through the whole cassette', () => {
    const tape = cassette().on('m', '1').answers(call('f'), call('g')).on('m', '2').answers(call('f'))
    expect(tape.render().match(/id: call-\d/g)).toEqual(['id: call-1', 'id: call-2', 'id: call-3'])
  })

  it('is sent back under the number that it got, with the call or by its response', () => {
    const [asked, unasked] = [call('f'), call('g')]
    const tape = cassette()
      .on('m', '1')
      .answers(call('e'), asked)
      .on('m', {
        contents: [model(asked, unasked), user(result(asked, { ok: 1 }), result('g', {}))],
        at: new Date(0),
      })
      .answers('So.')
    const sent = tape.build().documents[2]
    const payload = sent?.type === 'exchange' ? sent.exchange.request.body : undefined
    expect(payload).toEqual({
      type: 'value',
      value: {
        contents: [
          {
            parts: [
              { functionCall: { name: 'f', args: {}, id: 'call-2' } },
              { functionCall: { name: 'g', args: {} } },
            ],
            role: 'model',
          },
          {
            parts: [
              { functionResponse: { id: 'call-2', name: 'f', response: { ok: 1 } } },
              { functionResponse: { name: 'g', response: {} } },
            ],
            role: 'user',
          },
        ],
        at: '1970-01-01T00:00:00.000Z',
      },
    })
  })

  it('has no id on Vertex AI, nor where the id is empty', () => {
    const base = 'https://aiplatform.googleapis.com/v1/projects/p/locations/global'
    expect(cassette({ base }).on('m').answers(call('f')).render()).not.toContain('id: call')
    expect(
      on('m')
        .answers(call('f', {}, { id: '' }))
        .render(),
    ).not.toContain('id: call')
  })

  it('is one chunk where it is put into one', () => {
    expect(parts(on('m').streams(chunk(call('f'), call('g')), ''))).toEqual([
      [
        { functionCall: { name: 'f', args: {}, id: 'call-1' } },
        { functionCall: { name: 'g', args: {}, id: 'call-2' } },
      ],
      [{ text: '' }],
    ])
  })

  it('is a call in pieces where its arguments are streamed', () => {
    const said = on('m').streams(
      streamedCall('f', [argument('$.a', 'x', ''), argument('$.b', true), argument('$.c', null)]),
    )
    expect(parts(said)).toEqual([
      [{ functionCall: { name: 'f', id: 'call-1', willContinue: true } }],
      [
        {
          functionCall: {
            partialArgs: [{ jsonPath: '$.a', stringValue: 'x', willContinue: true }],
            willContinue: true,
          },
        },
      ],
      [{ functionCall: { partialArgs: [{ jsonPath: '$.a', stringValue: '' }], willContinue: true } }],
      [{ functionCall: { partialArgs: [{ jsonPath: '$.b', boolValue: true }], willContinue: true } }],
      [{ functionCall: { partialArgs: [{ jsonPath: '$.c', nullValue: 'NULL_VALUE' }], willContinue: true } }],
      [{ functionCall: {} }],
    ])
  })

  it('is a file beside the cassette where it is media of some size', () => {
    const picture = new Uint8Array(600).fill(7)
    const tape = on('m', [user('What is this?', media('image/png', picture))]).answers(
      media('image/png', picture),
    )
    expect(first(tape).blobs).toEqual({ '1-1.png': 600 })
    expect(tape.build().blobs).toEqual(new Map([['1-1.png', picture]]))
    expect(tape.render()).toContain('blob:1-1.png@0+600')
  })
})

describe('media', () => {
  it('stays where it is where a text reads like a reference to it', () => {
    const picture = new Uint8Array(600).fill(7)
    const tape = on('m', 'blob:1-1.png@0+600').answers(media('image/png', picture))
    expect(first(tape).blobs).toBeUndefined()
    expect(chunks(tape).join('')).toContain('BwcHBwcH')
  })
})

describe('what is said of an answer', () => {
  it('stands in each chunk, in the last one, or in its own', () => {
    const said = on('m').streams(
      fields({ createTime: 't', responseId: 'r' }),
      chunk('a', candidate({ avgLogprobs: -1 }), usage({ promptTokenCount: 1 })),
      'b',
      finish('MAX_TOKENS', { message: 'Cut.' }),
      candidate({ groundingMetadata: {} }),
      usage({ totalTokenCount: 3 }),
    )
    expect(chunks(said).map(one => one?.replace('data: ', '').trimEnd())).toEqual([
      '{"candidates": [{"content": {"parts": [{"text": "a"}],"role": "model"},"index": 0,"avgLogprobs": -1}],"usageMetadata": {"promptTokenCount": 1},"modelVersion": "m","createTime": "t","responseId": "r"}',
      '{"candidates": [{"content": {"parts": [{"text": "b"}],"role": "model"},"finishReason": "MAX_TOKENS","index": 0,"finishMessage": "Cut.","groundingMetadata": {}}],"usageMetadata": {"totalTokenCount": 3},"modelVersion": "m","createTime": "t","responseId": "r"}',
    ])
  })

  it('can be left out', () => {
    const bare = on('m').streams(
      'a',
      usage('none'),
      fields({ modelVersion: undefined, responseId: undefined }),
    )
    expect(chunks(bare)).toEqual([
      'data: {"candidates": [{"content": {"parts": [{"text": "a"}],"role": "model"},"finishReason": "STOP","index": 0}]}\r\n\r\n',
    ])
  })

  it('can be that the prompt is blocked', () => {
    expect(events(on('m').streams(blocked('SAFETY')))).toEqual([
      { promptFeedback: { blockReason: 'SAFETY' } },
    ])
  })
})

describe('chunks', () => {
  it('come when they are said to, cut and joined and held back', () => {
    const said = on('m').streams(
      head({ at: 10 }),
      at(12, 'a'),
      joined('b'),
      at(20, cuts([6, [9, 25]], hold('c'))),
      end({ at: 30 }),
    )
    expect(first(said)).toMatchObject({
      response: {
        at: 10,
        events: [
          { at: 12 },
          { joined: true },
          { at: 20, hold: true, cuts: [{ offset: 6 }, { offset: 9, at: 25 }] },
        ],
      },
      end: { at: 30 },
    })
    expect(wire(said).response?.chunks.map(one => one.at)).toEqual([12, 20, 20, 25])
  })

  it('can be anything', () => {
    const said = on('m').streams(
      data({ odd: [1] }),
      data('[DONE]', { event: 'done' }),
      raw(': ping\r\n\r\n'),
      raw(Uint8Array.of(0xff)),
    )
    expect(first(said).response?.events).toMatchObject([
      { data: { text: '{"odd": [1]}' } },
      { event: 'done', data: { text: '[DONE]' } },
      { raw: { text: ': ping\r\n\r\n' } },
      { raw: { base64: '/w==' } },
    ])
  })
})

describe('an answer that goes wrong', () => {
  it.each([
    [400, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [503, 'UNAVAILABLE'],
  ])('says the usual for %i', (code, status) => {
    const { response } = wire(on('m', 'Hi?').fails(code))
    const [sent] = response?.chunks ?? []
    expect(response?.status).toBe(code)
    expect(JSON.parse(decodeUtf8(sent?.bytes ?? new Uint8Array()) ?? '')).toMatchObject({
      error: { code, status },
    })
  })

  it('says what it is given', () => {
    const failed = on('m', 'Hi?').fails(418, 'Short and stout.', {
      status: 'TEAPOT',
      retryDelay: '2s',
      head: { at: 9, reason: 'Teapot', headers: { 'Retry-After': '2' } },
    })
    expect(wire(failed).response).toMatchObject({
      at: 9,
      status: 418,
      reason: 'Teapot',
      headers: [
        ['content-type', 'application/json; charset=UTF-8'],
        ['retry-after', '2'],
      ],
    })
    expect(failed.render()).toContain('retryDelay: 2s')
  })

  it('keeps the type of a stream where one was asked for', () => {
    const headers = [['content-type', 'text/event-stream']]
    expect(wire(on('m', 'Hi?').fails(404, undefined, { asked: 'streamed' })).response?.headers).toEqual(
      headers,
    )
    expect(wire(on('models/m:streamGenerateContent').fails(404)).response?.headers).toEqual(headers)
  })

  it('breaks off in mid-stream, and nothing finishes it', () => {
    expect(events(on('m').streams('a', error(500, 'Oh.')))).toEqual([
      { candidates: [{ content: { parts: [{ text: 'a' }], role: 'model' }, index: 0 }] },
      { error: { code: 500, message: 'Oh.', status: 'INTERNAL' } },
    ])
  })

  it('is cut, and nothing finishes it', () => {
    const cut = on('m').streams('a', end({ how: 'upstream-reset' }))
    expect(first(cut).end).toEqual({ at: undefined, how: 'upstream-reset' })
    expect(chunks(cut).join('')).not.toContain('finishReason')
  })

  it('never comes', () => {
    expect(first(on('m', 'Hi?').unanswered())).toMatchObject({ end: { how: 'upstream-error' } })
    const gone = on('m', 'Hi?').unanswered('client-abort', { asked: 'streamed' })
    expect(wire(gone)).toMatchObject({
      request: { url: expect.stringContaining('alt=sse') },
      response: undefined,
    })
  })
})

describe('a body', () => {
  it.each([
    ['a value', body({ totalTokens: 2 }), '{\n  "totalTokens": 2\n}\n', 'application/json; charset=UTF-8'],
    ['a text', body('pong', 'text/css'), 'pong', 'text/css'],
    ['bytes', body(Uint8Array.of(65)), 'A', 'application/octet-stream'],
  ])('is %s', (_kind, given, expected, type) => {
    const answered = on('models/m:countTokens').answers(given)
    expect(chunks(answered)).toEqual([expected])
    expect(wire(answered).response?.headers).toEqual([['content-type', type]])
  })

  it('may be empty, have another status, and come in chunks', () => {
    const deleted = on('DELETE files/a').answers(head({ status: 204 }), body(''))
    expect(wire(deleted).response).toMatchObject({ status: 204, chunks: [] })
    const cut = on('GET files/a').answers(head({ cuts: [[0, 3], 2] }), body('abcd'))
    expect(wire(cut).response?.chunks.map(({ at: when, bytes }) => [when, bytes.length])).toEqual([
      [3, 2],
      [3, 2],
    ])
  })
})
