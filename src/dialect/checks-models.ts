/**
 * What a model's answer never looks like: how it is framed, how it ends, what it says of errors.
 *
 * The evidence is 43 raw event streams with 152 events that js-genai recorded from both services.
 *
 * Room: dialect.
 */
import { headerValue, type HeaderList } from '../wire/headers.ts'
import { isJsonObject, parseJson, type JsonValue } from '../wire/json.ts'
import {
  answeredTexts,
  answers,
  isModelStream,
  items,
  modelMethodOf,
  type Check,
  type Objection,
} from './check.ts'
import { shallow } from './live-fold.ts'
import type { Said, Trace } from './trace.ts'

/** js-genai 3.3.0 `types.ts`, `FinishReason`. */
const FINISH_REASONS: ReadonlySet<JsonValue> = new Set([
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_OTHER',
  'NO_IMAGE',
  'IMAGE_RECITATION',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'ESCALATION',
  'PUP_LIMITED_DISABLED',
  'CONTINUATION',
  'MODEL_ARMOR',
])

const NONE: readonly Objection[] = []

/** A check of the streams of models. */
function ofStreams(name: string, objections: (trace: Trace) => readonly Objection[]): Check {
  return { name, objections: trace => (isModelStream(trace) ? objections(trace) : NONE) }
}

/** True if the answer is one of a model that generates, whole and without an error in it. */
function isWholeAnswer(trace: Trace): boolean {
  const method = modelMethodOf(trace)
  return (
    (method === 'generateContent' || method === 'streamGenerateContent') &&
    trace.head?.status === 200 &&
    trace.ended === undefined &&
    answers(trace).every(({ value }) => value['error'] === undefined)
  )
}

/** The candidates of an answer, with the event that each came in. */
function candidatesOf(trace: Trace) {
  if (!['generateContent', 'streamGenerateContent'].includes(modelMethodOf(trace) ?? '')) return []
  return answers(trace).flatMap(({ number, value }) =>
    items(value['candidates']).map((item, position) => {
      const candidate = shallow(item)
      return { number, candidate, index: candidate['index'] ?? position }
    }),
  )
}

const finishReasonMissing = ofStreams('finish-reason-missing', trace => {
  if (!isWholeAnswer(trace)) return NONE
  const blocked = answers(trace).some(
    ({ value }) => shallow(value['promptFeedback'])['blockReason'] !== undefined,
  )
  const finished = candidatesOf(trace).some(({ candidate }) => candidate['finishReason'] !== undefined)
  return blocked || finished ? NONE : [{ message: 'the stream ends well, but no event has a `finishReason`' }]
})

const finishReasonUnknown: Check = {
  name: 'finish-reason-unknown',
  objections: trace =>
    candidatesOf(trace).flatMap(({ number, candidate }) => {
      const { finishReason: reason } = candidate
      if (reason === undefined || FINISH_REASONS.has(reason)) return NONE
      return [{ number, message: `\`finishReason\` is ${JSON.stringify(reason)}, which is none` }]
    }),
}

const contentAfterFinish = ofStreams('content-after-finish', trace => {
  const finished = new Set<JsonValue>()
  return candidatesOf(trace).flatMap(({ number, candidate, index }) => {
    const late = finished.has(index) && items(shallow(candidate['content'])['parts']).length > 0
    if (candidate['finishReason'] !== undefined) finished.add(index)
    return late ? [{ number, message: 'content comes after the `finishReason` of its candidate' }] : NONE
  })
})

const doneOnModelStream = ofStreams('done-on-model-stream', trace =>
  answeredTexts(trace)
    .filter(({ text }) => text.trim() === '[DONE]')
    .map(({ number }) => ({ number, message: '`[DONE]`: the stream of a model just ends' })),
)

const modelStreamFraming = ofStreams('model-stream-framing', trace =>
  trace.said.flatMap(({ carrier, number, lines, content }) => {
    const names = Object.keys(lines)
    if (names.length > 0)
      return [{ number, message: `an event with \`${names.join('`, `')}\`: it has \`data\` alone` }]
    // An error may come bare in the stream: that has been seen.
    if (carrier !== 'raw' || content?.type === 'json') return NONE
    return [{ number, message: 'bytes that are no event, such as a comment or a blank line' }]
  }),
)

const eventNotJson = ofStreams('event-not-json', trace =>
  trace.said.flatMap(({ from, carrier, number, content }) => {
    if (from !== 'server' || carrier !== 'event' || content?.type === 'json') return NONE
    if (content?.type === 'text' && content.text.trim() === '[DONE]') return NONE
    return content === undefined ? NONE : [{ number, message: '`data` is no JSON' }]
  }),
)

/** Bodies in a text that is no JSON, where JSON is due; of a request only if the service took it. */
function unreadableBodies({ dialect, ended, head, requestHeaders, said }: Trace): readonly Said[] {
  if (dialect !== 'generate-content' || ended !== undefined) return []
  return said.filter(({ carrier, content }) => {
    if (content?.type !== 'text' || parseJson(content.text) !== undefined) return false
    if (carrier === 'request') return head?.status === 200 && isJsonDue(requestHeaders)
    return carrier === 'body' && isJsonDue(head?.headers ?? [])
  })
}

function isJsonDue(headers: HeaderList): boolean {
  return /^application\/json\b/i.test(headerValue(headers, 'content-type') ?? 'application/json')
}

const bodyNotJson: Check = {
  name: 'body-not-json',
  objections: trace =>
    unreadableBodies(trace).map(({ from }) => ({
      message: `the body of the ${from === 'client' ? 'request' : 'response'} is a text that is no JSON`,
    })),
}

const modelStreamLineEnds = ofStreams('model-stream-line-ends', ({ eol }) =>
  eol === undefined || eol === 'crlf' ? NONE : [{ message: `its lines end in ${eol}, not in crlf` }],
)

const usageMissing: Check = {
  name: 'usage-missing',
  objections(trace) {
    if (!isWholeAnswer(trace)) return NONE
    if (unreadableBodies(trace).some(({ from }) => from === 'server')) return NONE
    const counted = answers(trace).some(({ value }) => value['usageMetadata'] !== undefined)
    return counted ? NONE : [{ message: 'the answer has no `usageMetadata`' }]
  },
}

const errorStatus: Check = {
  name: 'error-status',
  objections(trace) {
    if (trace.dialect === 'unknown' || trace.head === undefined || trace.answer !== 'body') return NONE
    const { status } = trace.head
    return answers(trace).flatMap(({ value }) => {
      const { code } = shallow(value['error'])
      if (typeof code !== 'number' || code === status) return NONE
      return [{ message: `the error says ${code}, but the status is ${status}` }]
    })
  },
}

const errorFramed: Check = {
  name: 'error-framed',
  objections(trace) {
    const { head } = trace
    if (modelMethodOf(trace) === undefined || head === undefined || head.status < 400) return NONE
    return trace.answer === 'stream'
      ? [
          {
            message: `status ${head.status} with events: the error is a body, of the type text/event-stream too`,
          },
        ]
      : NONE
  },
}

/** Everything that a request says in contents of a user. */
function userParts(trace: Trace): readonly JsonValue[] {
  if (trace.dialect !== 'generate-content') return []
  return trace.said.flatMap(({ carrier, content }) => {
    if (carrier !== 'request' || content?.type !== 'json' || !isJsonObject(content.value)) return []
    return items(shallow(content.value)['contents'])
      .map(shallow)
      .filter(({ role }) => role === 'user')
      .flatMap(({ parts }) => items(parts))
  })
}

const signatureOnUserPart: Check = {
  name: 'signature-on-user-part',
  objections: trace =>
    userParts(trace).some(part => shallow(part)['thoughtSignature'] !== undefined)
      ? [{ message: 'a part of the user has a `thoughtSignature`: only parts of a model are signed' }]
      : NONE,
}

/** All of them, in the order of `docs/lint.md`. */
export const MODEL_CHECKS: readonly Check[] = [
  finishReasonMissing,
  finishReasonUnknown,
  contentAfterFinish,
  doneOnModelStream,
  modelStreamFraming,
  modelStreamLineEnds,
  eventNotJson,
  bodyNotJson,
  usageMissing,
  errorStatus,
  errorFramed,
  signatureOnUserPart,
]
