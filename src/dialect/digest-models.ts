/**
 * Digests of the models API: requests with their history, answers and the events of their streams.
 *
 * Source: js-genai `types.ts`, `GenerateContentResponse`.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'
import type { DigestItem } from './digest.ts'
import {
  digestContent,
  digestError,
  digestTools,
  digestUsage,
  earlier,
  listOf,
  plainText,
  setting,
  textOf,
} from './digest-parts.ts'
import { shallow } from './live-fold.ts'
import type { Weigh } from './trace.ts'

/** What says no more than which answer it is. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'createTime',
  'model',
  'modelVersion',
  'responseId',
  'sdkHttpResponse',
])

/** A request: what is new in it, after what it sends along. */
export function digestRequest(body: JsonValue, weigh: Weigh): readonly DigestItem[] {
  const request = shallow(body)
  if (request['contents'] === undefined) return [{ kind: 'other', name: '', value: body }]
  const { contents, systemInstruction, tools } = request
  const list = listOf(contents)
  const fresh = 1 + list.findLastIndex(content => shallow(content)['role'] === 'model')
  return [
    ...setting('system', plainText(systemInstruction, weigh)),
    ...digestTools(tools),
    ...list.flatMap((content, index) => {
      const items = digestContent(content, weigh)
      return index < fresh ? earlier(items) : items
    }),
  ]
}

/** An answer, or one event of it. */
export function digestAnswer(body: JsonValue, weigh: Weigh): readonly DigestItem[] {
  // Without `alt=sse` a streamed answer is one list.
  if (Array.isArray(body)) return listOf(body).flatMap(item => digestAnswer(item, weigh))
  if (!isJsonObject(body)) return [{ kind: 'other', name: '', value: body }]
  return Object.entries(shallow(body)).flatMap(([key, value]) => digestEntry(key, value, weigh))
}

function digestEntry(key: string, value: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (BOOKKEEPING.has(key)) return []
  switch (key) {
    case 'candidates':
      return listOf(value).flatMap((candidate, index) => digestCandidate(shallow(candidate), index, weigh))
    case 'usageMetadata':
      return [digestUsage(value)]
    case 'promptFeedback':
      return digestFeedback(shallow(value))
    case 'error':
      return [digestError(value)]
  }
  return [{ kind: 'other', name: key, value }]
}

function digestCandidate(candidate: JsonObject, index: number, weigh: Weigh): readonly DigestItem[] {
  const { content, finishReason, finishMessage, index: given, ...rest } = candidate
  const of = typeof given === 'number' ? given : index
  const reason = textOf(finishReason)
  const message = textOf(finishMessage)
  const items: DigestItem[] = content === undefined ? [] : [...digestContent(content, weigh)]
  items.push(...Object.entries(rest).map(([name, value]): DigestItem => ({ kind: 'other', name, value })))
  if (reason !== undefined) {
    const text = message === undefined ? reason : `${reason}: ${message}`
    items.push({ kind: 'finish', reason: text, well: reason === 'STOP' })
  }
  return of === 0 ? items : items.map(item => ({ ...item, of }))
}

function digestFeedback({ blockReason, blockReasonMessage }: JsonObject): readonly DigestItem[] {
  const reason = textOf(blockReason)
  if (reason === undefined) return []
  const message = textOf(blockReasonMessage)
  return [{ kind: 'error', text: `prompt blocked: ${reason}${message === undefined ? '' : `: ${message}`}` }]
}
