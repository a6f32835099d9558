/**
 * What a Live session never looks like: its beginning, its frames, its calls, its close.
 *
 * Source: js-genai `types.ts` 7636-7790 and its recorded session logs; RFC 6455 for closes.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { encodeUtf8 } from '../wire/text.ts'
import { answers, items, type Check, type Objection } from './check.ts'
import { shallow } from './live-fold.ts'
import { jsonOf, type Trace } from './trace.ts'

/** Codes that only an API reports: none can be sent (RFC 6455 §7.4.1). */
const UNSENDABLE: ReadonlySet<number> = new Set([1004, 1005, 1006, 1015])
/** What a close frame has room for beside its code, in bytes (RFC 6455 §5.5). */
const MAX_REASON = 123
/** Fields of `serverContent` that are true or left out, as proto-JSON leaves out what is false. */
const FLAGS = ['interrupted', 'turnComplete', 'generationComplete', 'waitingForInput']

const NONE: readonly Objection[] = []

function ofSessions(name: string, objections: (trace: Trace) => readonly Objection[]): Check {
  return {
    name,
    objections: trace => (trace.dialect === 'live' && trace.answer === 'socket' ? objections(trace) : NONE),
  }
}

const setupFirst = ofSessions('setup-first', trace => {
  const first = trace.said.find(({ from }) => from === 'client')
  if (first === undefined) return NONE
  const value = jsonOf(first)
  if (isJsonObject(value) && value['setup'] !== undefined) return NONE
  return [{ number: first.number, message: 'the first message of the client is no `setup`, and is answered' }]
})

const setupCompleteFirst = ofSessions('setup-complete-first', trace => {
  const first = trace.said.find(({ from }) => from === 'server')
  if (first === undefined) return NONE
  const value = jsonOf(first)
  const message = shallow(value)
  if (message['setupComplete'] !== undefined && Object.keys(message).length === 1) return NONE
  return [{ number: first.number, message: 'the first message of the service is not `setupComplete` alone' }]
})

const toolCallId = ofSessions('tool-call-id-missing', trace =>
  callsOf(trace).flatMap(({ number, call }) =>
    typeof call['id'] === 'string' && call['id'] !== ''
      ? NONE
      : [{ number, message: `the call of \`${String(call['name'])}\` has no \`id\`` }],
  ),
)

function callsOf(
  trace: Trace,
): readonly { readonly number: number | undefined; readonly call: JsonObject }[] {
  return answers(trace).flatMap(({ number, value }) =>
    items(shallow(value['toolCall'])['functionCalls']).map(call => ({ number, call: shallow(call) })),
  )
}

const cancelUnknownCall = ofSessions('cancel-unknown-call', trace => {
  const calls = callsOf(trace)
  return answers(trace).flatMap(({ number, value }) =>
    items(shallow(value['toolCallCancellation'])['ids'])
      .filter(id => !calls.some(({ call, number: at = 0 }) => call['id'] === id && at < (number ?? 0)))
      .map(id => ({ number, message: `cancels \`${String(id)}\`, which was not called before` })),
  )
})

const liveTextFrame = ofSessions('live-text-frame', trace =>
  trace.said.flatMap(({ from, number, frame }) =>
    from === 'server' && frame === 'text'
      ? [{ number, message: 'a text frame: the service sends binary ones' }]
      : NONE,
  ),
)

const liveNotJson = ofSessions('live-message-not-json', trace =>
  trace.said.flatMap(said =>
    said.from === 'server' && !isJsonObject(jsonOf(said))
      ? [{ number: said.number, message: 'a message of the service that is no JSON object' }]
      : NONE,
  ),
)

const falseWritten = ofSessions('false-written', trace =>
  answers(trace).flatMap(({ number, value }) => {
    const content = shallow(value['serverContent'])
    return FLAGS.filter(flag => content[flag] === false).map(flag => ({
      number,
      message: `\`${flag}: false\`: what is false is left out`,
    }))
  }),
)

const closeCode = ofSessions('close-code-reserved', ({ close }) => {
  if (close?.code === undefined) return NONE
  const { code } = close
  if (code >= 1000 && code < 5000 && !UNSENDABLE.has(code)) return NONE
  return [{ message: `the close code ${code} can't be sent` }]
})

const closeReason = ofSessions('close-reason-long', ({ close }) => {
  const bytes = encodeUtf8(close?.reason ?? '').length
  if (bytes <= MAX_REASON) return NONE
  return [{ message: `the close reason has ${bytes} bytes: ${MAX_REASON} fit` }]
})

/** All of them, in the order of `docs/lint.md`. */
export const LIVE_CHECKS: readonly Check[] = [
  setupFirst,
  setupCompleteFirst,
  liveTextFrame,
  liveNotJson,
  falseWritten,
  toolCallId,
  cancelUnknownCall,
  closeCode,
  closeReason,
]
