/** What services really sent passes every check of what they would never send: `docs/lint.md` rests on it. */
import { describe, expect, it } from 'vitest'
import { composeExchange } from '../../src/cassette/compose.ts'
import { traceOf } from '../../src/cassette/trace.ts'
import { CHECKS } from '../../src/dialect/checks.ts'
import { operationOf } from '../../src/dialect/operation.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'
import { CORPUS, httpLogs, vercelBodies, type CorpusExchange } from './recordings.ts'
import { liveLogs } from './sockets.ts'

const ORIGIN = 'generativelanguage.googleapis.com'
const LIVE = `wss://${ORIGIN}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent`

/** What the checks object to. */
function objections(wire: WireExchange): readonly string[] {
  const { dialect } = operationOf(wire.request)
  const { exchange } = composeExchange(wire, dialect, bytes => `${bytes.length}.bin`, 1)
  const trace = traceOf(exchange)
  return CHECKS.flatMap(check => check.objections(trace).map(({ message }) => `${check.name}: ${message}`))
}

function httpWire({ method, path, requestBody, status, headers, body }: CorpusExchange): WireExchange {
  return {
    at: 0,
    request: { method, url: `https://${ORIGIN}${path}`, headers: [], body: requestBody },
    response: {
      at: 1,
      status,
      reason: undefined,
      headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
      chunks: [{ at: 2, bytes: body }],
      trailers: [],
    },
    end: { at: 3, how: undefined },
  }
}

describe.runIf(CORPUS !== undefined)('no check objects to', () => {
  const corpus = CORPUS ?? ''

  it('what js-genai recorded over HTTP', () => {
    const wires = httpLogs(corpus).flatMap(({ exchanges }) => exchanges.map(httpWire))
    expect(wires).toHaveLength(112)
    expect(wires.flatMap(objections)).toEqual([])
  })

  it.each([
    ['generate-content', 15],
    ['interactions', 17],
  ] as const)('what was kept of %s by others', (api, count) => {
    const wires = vercelBodies(corpus, api).flatMap(({ exchanges }) => exchanges.map(httpWire))
    expect(wires).toHaveLength(count)
    expect(wires.flatMap(objections)).toEqual([])
  })

  it('the Live sessions that js-genai recorded', () => {
    const sessions = liveLogs(corpus).map(({ messages }): WireExchange => ({
      at: 0,
      request: { method: 'GET', url: LIVE, headers: [], body: undefined },
      response: undefined,
      socket: { messages, close: undefined },
      end: { at: messages.length, how: 'truncated' },
    }))
    expect(sessions).toHaveLength(19)
    expect(sessions.flatMap(objections)).toEqual([])
  })
})
