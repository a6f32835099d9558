/**
 * What a Live session never looks like: its beginning, its frames, its calls, its close.
 *
 * Source: js-genai `types.ts` 7636-7790 and its recorded session logs.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { answers, items, type Check, type Objection } from './check.ts'
import { shallow } from './live-fold.ts'
import { jsonOf, wordOf, type Trace } from './trace.ts'

/** Close codes that the service has been seen to use, in SDK issues and by us. Others come from what lies between. */
const CLOSE_CODES: ReadonlySet<number> = new Set([1000, 1001, 1007, 1008, 1011])
/** Each with the field of the setup that asks for it. */
const TRANSCRIPTIONS = [
  ['inputTranscription', 'inputAudioTranscription'],
  ['outputTranscription', 'outputAudioTranscription'],
] as const
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
      : [{ number, message: `the call of \`${wordOf(call['name'])}\` has no \`id\`` }],
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
      .map(id => ({ number, message: `cancels \`${wordOf(id)}\`, which was not called before` })),
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

/** What the first message of the client sets up. */
function setupOf(trace: Trace): JsonObject {
  const first = trace.said.find(({ from }) => from === 'client')
  return shallow(shallow(first && jsonOf(first))['setup'])
}

const handleNotAsked = ofSessions('handle-not-asked', trace => {
  if (setupOf(trace)['sessionResumption'] !== undefined) return NONE
  return answers(trace)
    .filter(({ value }) => value['sessionResumptionUpdate'] !== undefined)
    .map(({ number }) => ({
      number,
      message: '`sessionResumptionUpdate`, and the `setup` has no `sessionResumption`',
    }))
})

const transcriptionNotAsked = ofSessions('transcription-not-asked', trace => {
  const setup = setupOf(trace)
  const asked = { ...shallow(setup['generationConfig']), ...setup }
  return answers(trace).flatMap(({ number, value }) => {
    const content = shallow(value['serverContent'])
    return TRANSCRIPTIONS.filter(
      ([field, setting]) => content[field] !== undefined && asked[setting] === undefined,
    ).map(([field, setting]) => ({
      number,
      message: `\`${field}\`, and the \`setup\` has no \`${setting}\``,
    }))
  })
})

const soundNotAsked = ofSessions('sound-not-asked', trace => {
  const modalities = items(shallow(setupOf(trace)['generationConfig'])['responseModalities'])
  if (modalities.length === 0 || modalities.includes('AUDIO')) return NONE
  return answers(trace).flatMap(({ number, value }) =>
    items(shallow(shallow(value['serverContent'])['modelTurn'])['parts']).some(part =>
      wordOf(shallow(shallow(part)['inlineData'])['mimeType']).startsWith('audio/'),
    )
      ? [{ number, message: `sound, and the \`setup\` asks for ${modalities.map(wordOf).join(', ')}` }]
      : NONE,
  )
})

const closeCodeUnseen = ofSessions('close-code-unseen', ({ close }) =>
  close?.by !== 'server' || close.code === undefined || CLOSE_CODES.has(close.code)
    ? NONE
    : [{ message: `the service closes with ${close.code}, which it has not been seen to do` }],
)

/** All of them, in the order of `docs/lint.md`. */
export const LIVE_CHECKS: readonly Check[] = [
  setupFirst,
  setupCompleteFirst,
  liveTextFrame,
  liveNotJson,
  falseWritten,
  toolCallId,
  cancelUnknownCall,
  handleNotAsked,
  transcriptionNotAsked,
  soundNotAsked,
  closeCodeUnseen,
]
