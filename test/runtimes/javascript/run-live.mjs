/**
 * Talks to an agent over `runLive`, twice in one session, and prints what it looked like from outside.
 *
 * Nothing of the runtime is replaced or patched: an ordinary agent on the public API, with the base URL and the
 * key from the environment. It says one thing, takes what comes until the turn is over or the service hangs up,
 * then opens a second connection of the same session and says another. What the runtime sends there before that
 * is what it stored of the first.
 *
 * Usage: node run-live.mjs [--audio] [--model NAME]
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Type } from '@google/genai'
import { startTap } from './tap.mjs'

/** The app hangs up so many ms after the end of a turn: the usage may come after it. */
const QUIET_MS = 250
/** A turn in which nothing comes for so many ms is given up. A replay speaks up before. */
const PATIENCE_MS = 20_000
const TEXT = { responseModalities: ['TEXT'] }
const AUDIO = { responseModalities: ['AUDIO'], inputAudioTranscription: {}, outputAudioTranscription: {} }

const { values: options } = parseArgs({
  options: {
    audio: { type: 'boolean', default: false },
    model: { type: 'string', default: 'gemini-live-2.5-flash-preview' },
  },
})
const tap = await startTap(process.env.GOOGLE_GEMINI_BASE_URL)
process.env.GOOGLE_GEMINI_BASE_URL = tap.url
const { FunctionTool, InMemorySessionService, LiveRequestQueue, LlmAgent, LogLevel, Runner, setLogLevel } =
  await import('@google/adk')
setLogLevel(LogLevel.ERROR)

const toolRuns = []
const getWeather = new FunctionTool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
  execute: args => {
    toolRuns.push({ get_weather: args })
    return { sky: 'clear' }
  },
})
const agent = new LlmAgent({
  name: 'greeter',
  model: options.model,
  instruction: 'Be brief.',
  tools: [getWeather],
})
const sessionService = new InMemorySessionService()
const runner = new Runner({ appName: 'wiretape_case', agent, sessionService })
const place = { userId: 'user', sessionId: 's1' }
await sessionService.createSession({ appName: 'wiretape_case', ...place })

/** What matters of an event: who, what it holds, and the marks on it. Ids and times are the runtime's own. */
function told(event) {
  const marks = ['partial', 'interrupted', 'turnComplete', 'errorCode', 'errorMessage']
  const facts = ['inputTranscription', 'outputTranscription', 'usageMetadata']
  const picked = [...marks, ...facts].filter(key => event[key] !== undefined)
  return {
    author: event.author,
    ...Object.fromEntries(picked.map(key => [key, event[key]])),
    ...(event.content === undefined ? {} : { parts: event.content.parts }),
  }
}

/** One connection. The end of its turn closes it, and so does the service, or too long a silence. */
async function converse(text) {
  const liveRequestQueue = new LiveRequestQueue()
  const events = []
  let timer
  let over = false
  const silence = new Promise(givenUp => {
    timer = setTimeout(givenUp, PATIENCE_MS, { type: 'Silence', message: 'the turn never ended' })
  })
  const listen = async () => {
    const runConfig = options.audio ? AUDIO : TEXT
    for await (const event of runner.runLive({ ...place, liveRequestQueue, runConfig })) {
      events.push(told(event))
      timer.refresh()
      if (event.turnComplete && !over) setTimeout(() => liveRequestQueue.close(), QUIET_MS)
      over ||= event.turnComplete === true
    }
    return null
  }
  liveRequestQueue.sendContent({ role: 'user', parts: [{ text }] })
  const raised = error => ({ type: error.constructor.name, message: error.message })
  const error = await Promise.race([listen().catch(raised), silence])
  clearTimeout(timer)
  liveRequestQueue.close()
  return { events, error }
}

/** What was said on a connection, without the instructions and tools of its setup. */
function said(messages) {
  return messages.map(message =>
    message.setup === undefined
      ? message
      : { setup: { model: message.setup.model, sessionResumption: message.setup.sessionResumption } },
  )
}

const turns = []
for (const text of ['Greet me.', 'Thanks.']) {
  turns.push({ ...(await converse(text)), sent: said(tap.sent.splice(0).flat()) })
}
const { events: stored } = await sessionService.getSession({ appName: 'wiretape_case', ...place })
const { version } = JSON.parse(
  readFileSync(new URL('node_modules/@google/adk/package.json', import.meta.url)),
)
const transcript = { runtime: { '@google/adk': version }, turns, session: stored.map(told), toolRuns }
process.stdout.write(`${JSON.stringify(transcript, undefined, 2)}\n`)
tap.close()
