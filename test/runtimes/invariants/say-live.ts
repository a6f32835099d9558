/** What a message of a Live service says. */
import { shallow } from '../../../src/dialect/live-fold.ts'
import { isJsonObject, type JsonValue } from '../../../src/wire/json.ts'
import type { Saying } from './said.ts'
import { items, textOf } from '../json.ts'
import { sayCall, sayContent, sayError, sayUsage } from './say-parts.ts'

/** One `BidiGenerateContentServerMessage`: its content first, what ends it after. */
export function sayLive(message: JsonValue): readonly Saying[] {
  if (!isJsonObject(message)) return [{ kind: 'unknown', what: JSON.stringify(message) }]
  const fields = Object.entries(shallow(message))
  if (fields.length === 0) return [{ kind: 'unknown', what: 'a message that says nothing' }]
  return fields.flatMap(([key, value]) => sayField(key, value))
}

function sayField(key: string, value: JsonValue): readonly Saying[] {
  switch (key) {
    case 'setupComplete':
      return []
    case 'serverContent':
      return sayContentOf(value)
    case 'toolCall':
      return items(shallow(value)['functionCalls']).map(sayCall)
    case 'toolCallCancellation':
      return [{ kind: 'cancelled', ids: items(shallow(value)['ids']).flatMap(id => textOf(id) ?? []) }]
    case 'usageMetadata':
      return sayUsage(value)
    case 'goAway':
      return [{ kind: 'go-away' }]
    case 'sessionResumptionUpdate':
      return [{ kind: 'handle', handle: textOf(shallow(value)['newHandle']) }]
    case 'error':
      return [sayError(value)]
  }
  return [{ kind: 'unknown', what: `a message with ${key}` }]
}

/** Fields of a server content that say nothing of what is judged. */
const QUIET: ReadonlySet<string> = new Set([
  'groundingMetadata',
  'urlContextMetadata',
  'turnCompleteReason',
  'waitingForInput',
])

function sayContentOf(content: JsonValue): readonly Saying[] {
  const { modelTurn, inputTranscription, outputTranscription, ...rest } = shallow(content)
  const { interrupted, generationComplete, turnComplete, ...others } = rest
  return [
    ...sayContent(modelTurn),
    ...sayTranscription('input', inputTranscription),
    ...sayTranscription('output', outputTranscription),
    ...(generationComplete === true ? [{ kind: 'generation-complete' } as const] : []),
    ...(interrupted === true ? [{ kind: 'interrupted' } as const] : []),
    ...(turnComplete === true ? [{ kind: 'turn-complete' } as const] : []),
    ...Object.keys(others)
      .filter(key => !QUIET.has(key))
      .map(key => ({ kind: 'unknown', what: `a serverContent with ${key}` }) as const),
  ]
}

function sayTranscription(whose: 'input' | 'output', value: JsonValue | undefined): readonly Saying[] {
  if (!isJsonObject(value)) return []
  const { text, finished } = shallow(value)
  return [{ kind: 'transcription', whose, text: textOf(text) ?? '', finished: finished === true }]
}
