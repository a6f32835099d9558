/** Which event of a stream is its last word. */
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../src/dialect/operation.ts'
import type { SseEvent } from '../../src/wire/sse.ts'

function isEndMark(dialect: string, event: SseEvent): boolean | undefined {
  return dialectNamed(dialect)?.isEndMark(event)
}

describe('a model stream', () => {
  it.each([
    '{"candidates": [{"content": {"parts": [{"text": ""}]},"finishReason": "STOP"}]}',
    '{"candidates": [{"finishReason": "MAX_TOKENS"},{"finishReason": "SAFETY"}]}',
    '{"promptFeedback": {"blockReason": "SAFETY"}}',
    '{"error": {"code": 503}}',
  ])('ends with %s', data => {
    expect(isEndMark('generate-content', { data })).toBe(true)
  })

  it.each([
    '{"candidates": [{"content": {"parts": [{"text": "finishReason"}]}}]}',
    '{"candidates": [{"content": {"parts": [{"text": "\\"finishReason\\""}]}}]}',
    '{"candidates": [{"finishReason": "STOP"},{"index": 1}]}',
    '{"candidates": [{"finishReason": "FINISH_REASON_UNSPECIFIED"}]}',
    '{"candidates": [{"finishReason": null}]}',
    '{"candidates": [],"x": {"finishReason": "STOP"}}',
    '{"usageMetadata": {"error": 1}}',
    '["finishReason"]',
    '{"finishReason"',
    '[DONE]',
  ])('goes on after %s', data => {
    expect(isEndMark('generate-content', { data })).toBe(false)
  })

  it('goes on after bytes that are no text', () => {
    expect(isEndMark('generate-content', { data: new Uint8Array([255]) })).toBe(false)
  })
})

describe('an Interactions stream', () => {
  it('ends with [DONE], not with the event before it', () => {
    expect(isEndMark('interactions', { event: 'done', data: '[DONE]' })).toBe(true)
    expect(isEndMark('interactions', { data: '{"event_type":"interaction.completed"}' })).toBe(false)
  })
})

describe('any other stream', () => {
  it('ends with [DONE]', () => {
    expect(isEndMark('unknown', { data: '[DONE]' })).toBe(true)
    expect(isEndMark('unknown', { data: '{}' })).toBe(false)
  })
})
