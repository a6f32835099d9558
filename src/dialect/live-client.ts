/**
 * What a Live client message says: setup, content, marks, function responses, media.
 *
 * Room: dialect.
 */
import { encodeBase64 } from '../wire/base64.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'
import { decodeUtf8 } from '../wire/text.ts'
import { quoted } from './cause.ts'
import { foldMessage, modelName, parseObject, shallow } from './live-fold.ts'
import { frames, mediaAmount } from './live-media.ts'
import type { ClientInput, DiscreteInput, ResponseInput } from './live-messages.ts'

/** Fields of `realtimeInput` in the order in which they take effect, whatever order they are spelled in. */
const BEFORE_MEDIA = ['activityStart']
/** Where a function response stands in its message. */
const RESPONSE = ['toolResponse', 'functionResponses', '*']
const AFTER_MEDIA = ['text', 'audioStreamEnd', 'activityEnd']

/** Everything that a client message says. Bytes that are no JSON object are one discrete input, exactly. */
export function readClient(bytes: Uint8Array): readonly ClientInput[] {
  const text = decodeUtf8(bytes)
  if (text === undefined) return [discrete('bytes', { base64: encodeBase64(bytes) })]
  const message = parseObject(text)
  if (message === undefined) return [discrete('text', { text })]
  const { realtimeInput, ...rest } = shallow(message)
  const handle = handleOf(rest)
  const inputs = [
    ...Object.entries(foldMessage(rest)).flatMap(([key, body]) => readEntry(key, body, handle)),
    ...(realtimeInput === undefined ? [] : readRealtime(realtimeInput)),
  ]
  return inputs.length === 0 ? [discrete('empty message', {})] : inputs
}

function readEntry(key: string, body: JsonValue, handle: string | undefined): readonly ClientInput[] {
  if (isJsonObject(body)) {
    if (key === 'setup') return [readSetup(body, handle)]
    if (key === 'toolResponse') return readToolResponse(body)
  }
  return [discrete(quoted(key), { [key]: body })]
}

function readSetup(setup: JsonObject, resumes: string | undefined): DiscreteInput {
  const { model, sessionResumption, ...rest } = setup
  const resumption = isJsonObject(sessionResumption) ? sessionResumption : undefined
  const { handle: _, ...how } = resumption ?? {}
  const value = {
    ...rest,
    ...(model === undefined ? {} : { model: typeof model === 'string' ? modelName(model) : model }),
    // Present or not is a difference (no handles are issued without it); which handle it is, is compared elsewhere.
    ...(sessionResumption === undefined
      ? {}
      : { sessionResumption: resumption === undefined ? sessionResumption : how }),
  }
  return { type: 'discrete', label: 'setup', value: { setup: value }, place: [], resumes }
}

/** The handle as it was sent: folded, all placeholders of handles would be one. */
function handleOf(message: JsonObject): string | undefined {
  const { handle } = shallow(shallow(message['setup'])['sessionResumption'])
  return typeof handle === 'string' && handle !== '' ? handle : undefined
}

/**
 * Media is most of what is ever sent, so it is measured as it is, and only the rest folded.
 *
 * Source: js-genai `types.ts` 7989-8140; `mediaChunks` is the old spelling of `audio` and `video`, `media`
 * an older one.
 */
function readRealtime(input: JsonValue): readonly ClientInput[] {
  if (!isJsonObject(input)) return [discrete('realtimeInput', { realtimeInput: input })]
  const { mediaChunks, media, audio, video, ...rest } = shallow(input)
  const marks = foldMessage(rest)
  const known = new Set([...BEFORE_MEDIA, ...AFTER_MEDIA])
  const others = Object.keys(marks).filter(key => !known.has(key))
  const mark = (key: string): DiscreteInput[] => {
    const value = marks[key]
    return value === undefined
      ? []
      : [discrete(`realtimeInput.${quoted(key)}`, { realtimeInput: { [key]: value } })]
  }
  const inputs = [
    ...BEFORE_MEDIA.flatMap(mark),
    ...[...listOf(mediaChunks), ...listOf(media), ...listOf(audio)].map(mediaAmount),
    ...listOf(video).map(frames),
    ...[...AFTER_MEDIA, ...others].flatMap(mark),
  ]
  return inputs.length === 0 ? [discrete('realtimeInput', { realtimeInput: {} })] : inputs
}

function readToolResponse(body: JsonObject): readonly ClientInput[] {
  const { functionResponses, ...rest } = body
  const inputs: ClientInput[] = listOf(functionResponses).map(readFunctionResponse)
  if (inputs.length === 0 || Object.keys(rest).length > 0) {
    inputs.push(discrete('toolResponse', { toolResponse: rest }))
  }
  return inputs
}

function readFunctionResponse(response: JsonValue): ResponseInput {
  const { id, name } = isJsonObject(response) ? response : {}
  // A service that gives no ids lets the name decide.
  const key = typeof id === 'string' && id !== '' ? id : `name ${typeof name === 'string' ? name : ''}`
  return {
    type: 'response',
    label: `function response ${quoted(key)}`,
    key,
    value: response,
    place: RESPONSE,
  }
}

function discrete(label: string, value: JsonValue): DiscreteInput {
  return { type: 'discrete', label, value, place: [], resumes: undefined }
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
