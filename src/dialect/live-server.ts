/**
 * What a Live server message means for a replay: whether it is caused by media, ends a turn, or is bookkeeping.
 *
 * Room: dialect.
 */
import type { JsonObject } from '../wire/json.ts'
import { decodeUtf8 } from '../wire/text.ts'
import { parseObject, shallow } from './live-fold.ts'
import type { ServerMarks } from './live-messages.ts'

/** Fields of `serverContent` that are part of a model turn; `audioChunks` is music's. */
const TURN = ['modelTurn', 'outputTranscription', 'generationComplete', 'audioChunks']
/** Fields of `serverContent` that say what was heard. */
const HEARD = ['inputTranscription', 'interimInputTranscription']
/** Messages that follow from others of the service: no client message causes them. */
const FOLLOWING: ReadonlySet<string> = new Set([
  'usageMetadata',
  'sessionResumptionUpdate',
  'goAway',
  'toolCallCancellation',
])
/** Messages that only keep books. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['usageMetadata', 'sessionResumptionUpdate'])

/** The marks of a server message. One that is no JSON object has none: it goes out in its order. */
export function readServer(bytes: Uint8Array): ServerMarks {
  const message = shallow(parseObject(decodeUtf8(bytes) ?? ''))
  const content = shallow(message['serverContent'])
  const keys = Object.keys(message).filter(key => key !== 'serverContent')
  const interrupted = content['interrupted'] === true
  const has = (key: string): boolean => content[key] !== undefined
  const answers = message['toolCall'] !== undefined || interrupted || HEARD.some(has)
  return {
    label: labelOf(keys, content, message),
    greets: message['setupComplete'] !== undefined,
    speaks: message['toolCall'] !== undefined || TURN.some(has),
    reacts: answers || has('outputTranscription'),
    goesOn: !answers && Object.keys(message).length > 0 && keys.every(key => FOLLOWING.has(key)),
    endsTurn: interrupted || content['turnComplete'] === true,
    trailing: keys.length > 0 && keys.every(key => BOOKKEEPING.has(key)) && Object.keys(content).length === 0,
    cancels: cancelled(shallow(message['toolCallCancellation'])),
    issues: issued(shallow(message['sessionResumptionUpdate'])),
  }
}

function labelOf(keys: readonly string[], content: JsonObject, message: JsonObject): string {
  const inside = Object.keys(content).map(key => `serverContent.${key}`)
  const bare = message['serverContent'] !== undefined && inside.length === 0 ? ['serverContent'] : inside
  return [...bare, ...keys].join(', ') || 'message without a known field'
}

function cancelled(cancellation: JsonObject): readonly string[] {
  const ids = cancellation['ids']
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
}

function issued(update: JsonObject): string | undefined {
  const handle = update['newHandle']
  return typeof handle === 'string' && handle !== '' ? handle : undefined
}
