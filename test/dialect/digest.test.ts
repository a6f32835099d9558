/** What payloads say: the same words for the three APIs, from literals as they are on the wire. */
import { describe, expect, it } from 'vitest'
import { digesterNamed, titleOf } from '../../src/dialect/digest.ts'
import type { JsonValue } from '../../src/wire/json.ts'

const weigh = (data: string): number => (data.length / 4) * 3

function digest(dialect: string, side: 'client' | 'server', payload: string) {
  return digesterNamed(dialect)[side](JSON.parse(payload) as JsonValue, weigh)
}

describe('a request to a model', () => {
  it('says what is new, and marks the history that it sends along', () => {
    const said = digest(
      'generate-content',
      'client',
      `{"systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [{"functionDeclarations": [{"name": "get_tide"}]}, {"googleSearch": {}}],
        "contents": [
          {"role": "user", "parts": [{"text": "When is high tide?"}]},
          {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "get_tide", "args": {"at": "Whitby"}}, "thoughtSignature": "c2ln"}]},
          {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "get_tide", "response": {"time": "16:42"}}}]}]}`,
    )
    expect(said).toEqual([
      { kind: 'setting', name: 'system', text: 'Be brief.' },
      { kind: 'setting', name: 'tools', text: 'get_tide, googleSearch' },
      { kind: 'text', text: 'When is high tide?', earlier: true },
      { kind: 'call', name: 'get_tide', id: 'c1', args: { at: 'Whitby' }, earlier: true },
      { kind: 'signature', signature: 'c2ln', earlier: true },
      { kind: 'result', name: 'get_tide', id: 'c1', value: { time: '16:42' } },
    ])
  })

  it('is the same in snake_case, as Python spells it', () => {
    const said = digest(
      'generate-content',
      'client',
      '{"contents": [{"parts": [{"inline_data": {"mime_type": "image/png", "data": "AAAA"}}]}]}',
    )
    expect(said).toEqual([{ kind: 'media', mimeType: 'image/png', bytes: 3, ms: undefined }])
  })

  it('that asks for something else is shown as it is', () => {
    const said = digest('generate-content', 'client', '{"ttl": "600s"}')
    expect(said).toEqual([{ kind: 'other', name: '', value: { ttl: '600s' } }])
  })
})

describe('an answer of a model', () => {
  it('says thoughts, text, signatures, how it ends and what it cost', () => {
    const said = digest(
      'generate-content',
      'server',
      `{"candidates": [{"content": {"role": "model", "parts": [
          {"text": "Let me see.", "thought": true}, {"text": "At 16:42."}, {"text": "", "thoughtSignature": "c2ln"}]},
          "finishReason": "MAX_TOKENS", "finishMessage": "cut", "index": 0}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": 7, "totalTokenCount": 20},
        "modelVersion": "m", "responseId": "r"}`,
    )
    expect(said).toMatchObject([
      { kind: 'thought', text: 'Let me see.' },
      { kind: 'text', text: 'At 16:42.' },
      { kind: 'signature', signature: 'c2ln' },
      { kind: 'finish', reason: 'MAX_TOKENS: cut', well: false },
      { kind: 'usage', text: '9 in, 4 out, 7 thinking, 20 in all' },
    ])
  })

  it.each([
    ['{"name": "f", "willContinue": true}', [{ kind: 'call', name: 'f', args: undefined }]],
    [
      '{"partialArgs": [{"jsonPath": "$.a", "stringValue": "x", "willContinue": true}], "willContinue": true}',
      [{ kind: 'arguments', path: '$.a', text: 'x' }],
    ],
    [
      '{"partialArgs": [{"jsonPath": "$.b", "numberValue": 9.5}, {"jsonPath": "$.c", "nullValue": "NULL_VALUE"}], "willContinue": true}',
      [
        { kind: 'arguments', path: '$.b', text: '9.5' },
        { kind: 'arguments', path: '$.c', text: 'null' },
      ],
    ],
    ['{}', [{ kind: 'mark', text: 'call ends' }]],
    ['{"name": "f"}', [{ kind: 'call', name: 'f', args: {} }]],
  ])('says a call that comes in pieces: %s', (call, expected) => {
    const said = digest(
      'generate-content',
      'server',
      `{"candidates": [{"content": {"parts": [{"functionCall": ${call}}]}}]}`,
    )
    expect(said).toMatchObject(expected)
    expect(said).toHaveLength(expected.length)
  })

  it.each([
    [
      '{"error": {"code": 503, "message": "Overloaded.", "status": "UNAVAILABLE"}}',
      '503 UNAVAILABLE: Overloaded.',
    ],
    ['{"promptFeedback": {"blockReason": "SAFETY"}}', 'prompt blocked: SAFETY'],
  ])('says what went wrong: %s', (payload, text) => {
    expect(digest('generate-content', 'server', payload)).toEqual([{ kind: 'error', text }])
  })

  it('says which candidate it is of, if not of the first', () => {
    const said = digest(
      'generate-content',
      'server',
      '[{"candidates": [{"content": {"parts": [{"text": "a"}]}}, {"content": {"parts": [{"text": "b"}]}, "citationMetadata": {}}]}]',
    )
    expect(said).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b', of: 1 },
      { kind: 'other', name: 'citationMetadata', value: {}, of: 1 },
    ])
  })
})

describe('an interaction', () => {
  it.each([
    ['"Hello"', [{ kind: 'text', text: 'Hello' }]],
    ['[{"type": "text", "text": "Hello"}]', [{ kind: 'text', text: 'Hello' }]],
    ['[{"role": "user", "content": "Hello"}]', [{ kind: 'text', text: 'Hello' }]],
    [
      `[{"type": "user_input", "content": [{"type": "text", "text": "Hi"}]},
        {"type": "thought", "summary": [{"type": "text", "text": "Hm."}], "signature": "c2ln"},
        {"type": "function_call", "id": "c1", "name": "f", "arguments": {"a": 1}},
        {"type": "function_result", "call_id": "c1", "name": "f", "result": "done"}]`,
      [
        { kind: 'text', text: 'Hi', earlier: true },
        { kind: 'thought', text: 'Hm.', earlier: true },
        { kind: 'signature', signature: 'c2ln', earlier: true },
        { kind: 'call', name: 'f', id: 'c1', args: { a: 1 }, earlier: true },
        { kind: 'result', name: 'f', id: 'c1', value: 'done' },
      ],
    ],
  ])('says its input, in each of its shapes: %s', (input, expected) => {
    expect(digest('interactions', 'client', `{"model": "m", "input": ${input}}`)).toEqual([
      { kind: 'setting', name: 'model', text: 'm' },
      ...expected,
    ])
  })

  it.each([
    [
      '{"event_type": "interaction.created", "interaction": {"id": "v1_a"}}',
      [{ kind: 'mark', text: 'created v1_a' }],
    ],
    ['{"event_type": "interaction.status_update", "status": "in_progress"}', [{ kind: 'mark', quiet: true }]],
    [
      '{"event_type": "step.start", "index": 2, "step": {"type": "function_call", "id": "c1", "name": "f", "arguments": {}}}',
      [
        { kind: 'mark', text: 'function_call begins', of: 2 },
        { kind: 'call', name: 'f', id: 'c1', args: undefined, of: 2 },
      ],
    ],
    [
      '{"event_type": "step.start", "index": 0, "step": {"type": "model_output", "content": [{"type": "text", "text": "A"}]}}',
      [{ kind: 'mark' }, { kind: 'text', text: 'A', of: 0 }],
    ],
    [
      '{"event_type": "step.delta", "index": 2, "delta": {"type": "arguments_delta", "arguments": "{\\"a\\":"}}',
      [{ kind: 'arguments', path: undefined, text: '{"a":', of: 2 }],
    ],
    [
      '{"event_type": "step.delta", "index": 0, "delta": {"type": "thought_summary", "content": {"type": "text", "text": "Hm."}}}',
      [{ kind: 'thought', text: 'Hm.', of: 0 }],
    ],
    [
      '{"event_type": "step.delta", "index": 0, "delta": {"type": "thought_signature", "signature": "c2ln"}}',
      [{ kind: 'signature', signature: 'c2ln', of: 0 }],
    ],
    [
      '{"event_type": "content.delta", "index": 0, "delta": {"type": "text", "text": "old"}}',
      [{ kind: 'text', text: 'old' }],
    ],
    [
      '{"event_type": "step.delta", "index": 1, "delta": {"type": "audio", "mime_type": "audio/l16;rate=24000", "data": "AAAAAAAA"}}',
      [{ kind: 'media', mimeType: 'audio/l16;rate=24000', bytes: 6, ms: 0.125 }],
    ],
    ['{"event_type": "step.stop", "index": 1}', [{ kind: 'mark', quiet: true, of: 1 }]],
    [
      '{"event_type": "interaction.completed", "interaction": {"status": "failed", "usage": {"total_tokens": 8}}}',
      [
        { kind: 'finish', reason: 'failed', well: false },
        { kind: 'usage', text: '8 in all' },
      ],
    ],
    [
      '{"event_type": "error", "error": {"code": "quota", "message": "No more."}}',
      [{ kind: 'error', text: 'quota: No more.' }],
    ],
    ['{"event_type": "interaction.dreaming", "depth": 3}', [{ kind: 'other', name: 'interaction.dreaming' }]],
    [
      '{"id": "v1_a", "status": "completed", "steps": [{"type": "model_output", "content": [{"type": "text", "text": "A"}]}]}',
      [
        { kind: 'text', text: 'A' },
        { kind: 'finish', reason: 'completed', well: true },
      ],
    ],
  ])('says what each event says: %s', (payload, expected) => {
    const said = digest('interactions', 'server', payload)
    expect(said).toMatchObject(expected)
    expect(said).toHaveLength(expected.length)
  })
})

describe('a Live message', () => {
  it.each([
    [
      '{"setup": {"model": "models/m", "generationConfig": {"responseModalities": ["AUDIO"]}, "sessionResumption": {"handle": "h"}}}',
      [
        { kind: 'mark', text: 'setup' },
        { kind: 'setting', name: 'model', text: 'models/m' },
        { kind: 'setting', name: 'answers in', text: 'AUDIO' },
        { kind: 'setting', name: 'resumes', text: 'h' },
      ],
    ],
    [
      '{"client_content": {"turns": [{"parts": [{"text": "Hi"}]}], "turn_complete": true}}',
      [
        { kind: 'text', text: 'Hi' },
        { kind: 'mark', text: 'turnComplete' },
      ],
    ],
    [
      '{"realtimeInput": {"mediaChunks": [{"mimeType": "audio/pcm;rate=16000", "data": "AAAAAAAA"}]}}',
      [{ kind: 'media', mimeType: 'audio/pcm;rate=16000', bytes: 6, ms: 0.1875 }],
    ],
    ['{"realtimeInput": {"activityEnd": {}}}', [{ kind: 'mark', text: 'activityEnd' }]],
    ['{"realtimeInput": {"text": "Hi"}}', [{ kind: 'text', text: 'Hi' }]],
    [
      '{"toolResponse": {"functionResponses": [{"id": "f1", "name": "f", "response": {"ok": true}}]}}',
      [{ kind: 'result', name: 'f', id: 'f1', value: { ok: true } }],
    ],
    ['{"newThing": 1}', [{ kind: 'other', name: 'newThing', value: 1 }]],
  ])('of the client: %s', (payload, expected) => {
    expect(digest('live', 'client', payload)).toEqual(expected)
  })

  it.each([
    ['{"setupComplete": {}}', [{ kind: 'mark', text: 'setupComplete' }]],
    [
      '{"serverContent": {"modelTurn": {"parts": [{"text": "Hel"}]}, "outputTranscription": {"text": "Hel"}, "turnComplete": true}, "usageMetadata": {"responseTokenCount": 2}}',
      [
        { kind: 'text', text: 'Hel' },
        { kind: 'transcript', whose: 'server', text: 'Hel' },
        { kind: 'mark', text: 'turnComplete' },
        { kind: 'usage', text: '2 out' },
      ],
    ],
    ['{"serverContent": {"interrupted": false}}', [{ kind: 'mark', text: 'interrupted: false' }]],
    [
      '{"serverContent": {"inputTranscription": {"text": "Hi"}}}',
      [{ kind: 'transcript', whose: 'client', text: 'Hi' }],
    ],
    ['{"serverContent": {"groundingMetadata": {}}}', [{ kind: 'other', name: 'groundingMetadata' }]],
    [
      '{"toolCall": {"functionCalls": [{"id": "f1", "name": "f", "args": {}}, {"id": "f2", "name": "g"}]}}',
      [
        { kind: 'call', id: 'f1', name: 'f', args: {} },
        { kind: 'call', id: 'f2', name: 'g', args: {} },
      ],
    ],
    ['{"toolCallCancellation": {"ids": ["f1", "f2"]}}', [{ kind: 'mark', text: 'cancels f1, f2' }]],
    ['{"goAway": {"timeLeft": "10s"}}', [{ kind: 'mark', text: 'goAway, 10s left' }]],
    [
      '{"sessionResumptionUpdate": {"newHandle": "h", "resumable": true}}',
      [{ kind: 'mark', text: 'resumable as h' }],
    ],
    ['{"sessionResumptionUpdate": {}}', [{ kind: 'mark', text: 'not resumable' }]],
    ['{"error": {"message": "No."}}', [{ kind: 'error', text: 'No.' }]],
    ['[1]', [{ kind: 'other', name: '', value: [1] }]],
  ])('of the service: %s', (payload, expected) => {
    const said = digest('live', 'server', payload)
    expect(said).toMatchObject(expected)
    expect(said).toHaveLength(expected.length)
  })
})

describe('the title of an exchange', () => {
  it.each([
    [
      'generate-content',
      'POST',
      'https://a.example/v1/models/m:countTokens?key=k',
      'POST models/m:countTokens',
    ],
    [
      'live',
      'GET',
      'wss://a.example/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateMusic?key=k',
      'GenerativeService.BidiGenerateMusic',
    ],
    ['unknown', 'GET', 'https://a.example/b', 'GET b'],
  ])('is what it asks for: %s', (dialect, method, url, title) => {
    expect(titleOf(dialect, method, url)).toBe(title)
  })
})

it('shows what no dialect knows as it is', () => {
  expect(digest('unknown', 'server', '{"a": 1}')).toEqual([{ kind: 'other', name: '', value: { a: 1 } }])
})
