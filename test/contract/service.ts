/** What the stand-in service answers in the contract tests, in the service's own spelling. */
import type { ServerResponse } from 'node:http'
import type { Script, Seen } from '../peers/scripted-upstream.ts'

const SIGNATURE = 'CiQBzbLk1zq0Vv3m9w=='

function sse(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-gemini-service-tier': 'standard' })
  for (const event of events) response.write(event)
  response.end()
}

function data(text: string): string {
  return `data: ${text}\r\n\r\n`
}

function json(response: ServerResponse, status: number, reason: string, value: unknown): void {
  response.writeHead(status, reason, { 'content-type': 'application/json; charset=UTF-8' })
  response.end(`${JSON.stringify(value, null, 2)}\n`)
}

function reply(parts: readonly unknown[]): unknown {
  return {
    candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 5, totalTokenCount: 9 },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r-1',
  }
}

const CALL = { functionCall: { name: 'get_weather', args: { city: 'Paris' }, id: 'call-1' } }

/** An Interactions stream as the service documents it: compact JSON, `event:` lines, a closing `[DONE]`. */
function interactionEvents(): string[] {
  const events: readonly (readonly [string, object])[] = [
    ['interaction.created', { interaction: { id: 'v1_a', status: 'in_progress', object: 'interaction' } }],
    ['step.start', { index: 0, step: { type: 'thought' } }],
    ['step.delta', { index: 0, delta: { signature: SIGNATURE, type: 'thought_signature' } }],
    ['step.stop', { index: 0 }],
    ['step.start', { index: 1, step: { type: 'model_output', content: [{ type: 'text', text: 'It is ' }] } }],
    ['step.delta', { index: 1, delta: { type: 'text', text: 'süß – sunny.' } }],
    ['step.stop', { index: 1 }],
    [
      'interaction.completed',
      { interaction: { id: 'v1_a', status: 'completed', usage: { total_tokens: 12 } } },
    ],
  ]
  const spelled = events.map(
    ([event, value]) => `event: ${event}\ndata: ${JSON.stringify({ ...value, event_type: event })}\n\n`,
  )
  return [...spelled, 'event: done\ndata: [DONE]\n\n']
}

/** Answers what the transcripts in `transcripts.ts` ask for. */
export const answer: Script = (seen, response) => {
  if (seen.path.includes('missing-model')) {
    response.writeHead(404, 'Not Found', { 'content-type': 'text/event-stream' })
    response.end(
      '{\n  "error": {\n    "code": 404,\n    "message": "no such model",\n    "status": "NOT_FOUND"\n  }\n}\n',
    )
    return
  }
  if (seen.path.includes('busy-model')) {
    return json(response, 429, 'Too Many Requests', {
      error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED' },
    })
  }
  if (seen.path.includes('endless-model')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // Never ended: the client leaves.
    response.write(data('{"candidates": [{"content": {"parts": [{"text": "On and"}],"role": "model"}}]}'))
    return
  }
  if (seen.path.includes('/interactions')) return interactions(seen, response)
  if (seen.path.includes(':streamGenerateContent')) {
    return sse(response, [
      data('{"candidates": [{"content": {"parts": [{"text": "Grüße"}],"role": "model"},"index": 0}]}'),
      data('{"candidates": [{"content": {"parts": [{"text": " from Mars"}],"role": "model"},"index": 0}]}'),
      data(
        `{"candidates": [{"content": {"parts": [{"text": "","thoughtSignature": "${SIGNATURE}"}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"totalTokenCount": 9}}`,
      ),
    ])
  }
  const asksTool = seen.body.includes('functionDeclarations') && !seen.body.includes('functionResponse')
  return json(
    response,
    200,
    'OK',
    reply(asksTool ? [{ ...CALL, thoughtSignature: SIGNATURE }] : [{ text: 'Sunny.' }]),
  )
}

function interactions({ method, path, body }: Seen, response: ServerResponse): void {
  if (body.includes('missing-model')) {
    const error = { code: 404, message: 'no such model', status: 'NOT_FOUND' }
    return json(response, 404, 'Not Found', { error })
  }
  if (method === 'DELETE') return json(response, 200, 'OK', {})
  if (path.includes('last_event_id=e-2')) return sse(response, interactionEvents().slice(4))
  if (body.includes('"stream":true')) return sse(response, interactionEvents())
  return json(response, 200, 'OK', {
    id: 'v1_b',
    object: 'interaction',
    status: path.endsWith('/cancel') ? 'cancelled' : 'completed',
    steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hello.' }] }],
    usage: { total_tokens: 3 },
  })
}
