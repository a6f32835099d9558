/** What an answer of the models API says, or one event of its stream. */
import { shallow } from '../../../src/dialect/live-fold.ts'
import { isJsonList, type JsonValue } from '../../../src/wire/json.ts'
import type { Saying } from './said.ts'
import { items, textOf } from '../json.ts'
import { sayContent, sayError, sayUsage } from './say-parts.ts'

/** One `GenerateContentResponse`; an error in its place, or a list with one in it, too. Only the first candidate counts. */
export function sayModels(payload: JsonValue): readonly Saying[] {
  // A unary answer to a streaming call without `alt=sse` is a list.
  if (isJsonList(payload)) return payload.flatMap(sayModels)
  const { candidates, promptFeedback, usageMetadata, error } = shallow(payload)
  const candidate = shallow(items(candidates)[0])
  const reason = textOf(candidate['finishReason'])
  const blocked = textOf(shallow(promptFeedback)['blockReason'])
  return [
    ...sayContent(candidate['content']),
    ...(error === undefined || error === null ? [] : [sayError(error)]),
    ...(blocked === undefined ? [] : [{ kind: 'blocked', reason: blocked } as const]),
    ...(reason === undefined || reason === 'FINISH_REASON_UNSPECIFIED'
      ? []
      : [{ kind: 'finish', reason } as const]),
    ...sayUsage(usageMetadata),
  ]
}
