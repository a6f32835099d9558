/**
 * Digests of Live messages, both ways.
 *
 * Source: js-genai `types.ts`, `LiveClientMessage` and `LiveServerMessage`, 7636-8140.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'
import type { DigestItem } from './digest.ts'
import {
  digestCall,
  digestContent,
  digestError,
  digestMedia,
  digestResult,
  digestTools,
  digestUsage,
  listOf,
  plainText,
  setting,
  textOf,
} from './digest-parts.ts'
import { shallow } from './live-fold.ts'
import { wordOf, type Weigh } from './trace.ts'

/** A client's message. */
export function digestLiveClient(message: JsonValue, weigh: Weigh): readonly DigestItem[] {
  return entries(message, (key, value) => {
    switch (key) {
      case 'setup':
        return digestSetup(shallow(value), weigh)
      case 'clientContent': {
        const { turns, turnComplete } = shallow(value)
        const items = listOf(turns).flatMap(turn => digestContent(turn, weigh))
        return [...items, ...mark('turnComplete', turnComplete)]
      }
      case 'realtimeInput':
        return digestRealtime(shallow(value), weigh)
      case 'toolResponse':
        return listOf(shallow(value)['functionResponses']).map(digestResult)
    }
    return [{ kind: 'other', name: key, value }]
  })
}

function digestSetup(setup: JsonObject, weigh: Weigh): readonly DigestItem[] {
  const { model, generationConfig, systemInstruction, tools, sessionResumption, ...rest } = setup
  const { responseModalities, ...others } = shallow(generationConfig)
  const { handle } = shallow(sessionResumption)
  return [
    { kind: 'mark', text: 'setup' },
    ...setting('model', model),
    ...setting('answers in', listOf(responseModalities).map(wordOf).join(', ') || undefined),
    ...setting('system', plainText(systemInstruction, weigh)),
    ...digestTools(tools),
    ...setting('resumes', handle),
    ...Object.entries({ ...others, ...rest }).flatMap(([name, value]) => setting(name, value)),
  ]
}

function digestRealtime(input: JsonObject, weigh: Weigh): readonly DigestItem[] {
  return Object.entries(input).flatMap(([key, value]): readonly DigestItem[] => {
    switch (key) {
      case 'mediaChunks':
      case 'media':
      case 'audio':
      case 'video':
        return listOf(value).map(blob => digestMedia(blob, weigh))
      case 'text':
        return typeof value === 'string' ? [{ kind: 'text', text: value }] : []
    }
    return [{ kind: 'mark', text: key }]
  })
}

/** A server's message. */
export function digestLiveServer(message: JsonValue, weigh: Weigh): readonly DigestItem[] {
  return entries(message, (key, value) => {
    switch (key) {
      case 'serverContent':
        return entries(value, (name, content) => digestServerContent(name, content, weigh))
      case 'toolCall':
        return listOf(shallow(value)['functionCalls']).flatMap(digestCall)
      case 'toolCallCancellation':
        return [{ kind: 'mark', text: `cancels ${listOf(shallow(value)['ids']).map(wordOf).join(', ')}` }]
      case 'usageMetadata':
        return [digestUsage(value)]
      case 'sessionResumptionUpdate': {
        const handle = textOf(shallow(value)['newHandle'])
        return [{ kind: 'mark', text: handle === undefined ? 'not resumable' : `resumable as ${handle}` }]
      }
      case 'goAway':
        return [{ kind: 'mark', text: `goAway, ${wordOf(shallow(value)['timeLeft'])} left` }]
      case 'setupComplete':
        return [{ kind: 'mark', text: key }]
      case 'error':
        return [digestError(value)]
    }
    return [{ kind: 'other', name: key, value }]
  })
}

function digestServerContent(key: string, value: JsonValue, weigh: Weigh): readonly DigestItem[] {
  switch (key) {
    case 'modelTurn':
      return digestContent(value, weigh)
    case 'inputTranscription':
      return transcript('client', value)
    case 'outputTranscription':
      return transcript('server', value)
    case 'audioChunks':
      return listOf(value).map(blob => digestMedia(blob, weigh))
    case 'interrupted':
    case 'turnComplete':
    case 'generationComplete':
    case 'waitingForInput':
      return mark(key, value)
  }
  return [{ kind: 'other', name: key, value }]
}

function transcript(whose: 'client' | 'server', value: JsonValue): readonly DigestItem[] {
  const { text } = shallow(value)
  return typeof text === 'string' && text !== '' ? [{ kind: 'transcript', whose, text }] : []
}

/** A field that is true, mostly; what else it says is told. */
function mark(name: string, value: JsonValue | undefined): readonly DigestItem[] {
  if (value === undefined) return []
  return [{ kind: 'mark', text: value === true ? name : `${name}: ${JSON.stringify(value)}` }]
}

function entries(
  value: JsonValue,
  digest: (key: string, value: JsonValue) => readonly DigestItem[],
): readonly DigestItem[] {
  if (!isJsonObject(value)) return [{ kind: 'other', name: '', value }]
  return Object.entries(shallow(value)).flatMap(([key, item]) => digest(key, item))
}
