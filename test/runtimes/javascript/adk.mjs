/**
 * The Agent Development Kit of JavaScript, @google/adk, as an app uses it: an ordinary agent with function tools, a
 * runner, and sessions in memory. The tools are run by the runtime.
 *
 * Usage: node --experimental-import-meta-resolve adk.mjs adk-js@VERSION [--progressive] SCENARIO.json
 *
 * `--progressive` switches the aggregation of streamed calls on, which is off by default.
 */
import { actAdkLive } from './adk-live.mjs'
import { HTTP_SILENCE_MS, patiently } from './patience.mjs'
import { imported, installed, main, options } from './program.mjs'
import { createToolbox } from './toolbox.mjs'
import { eventOf, startTranscript } from './transcript.mjs'

if (options.includes('--progressive')) process.env['ADK_ENABLE_PROGRESSIVE_SSE_STREAMING'] = 'true'
const adk = await imported('@google/adk')
const {
  FunctionTool,
  Gemini,
  InMemorySessionService,
  LlmAgent,
  LogLevel,
  Runner,
  setLogLevel,
  StreamingMode,
} = adk
setLogLevel(LogLevel.ERROR)

const PLACE = { appName: 'wiretape_case', userId: 'user', sessionId: 'session' }
const runtime = installed('@google/adk', '@google/genai')

/** The runtime has a spelling of its own for schemas: types in upper case. */
function schemaOf(schema) {
  if (Array.isArray(schema)) return schema.map(schemaOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => {
    const isType = name === 'type' && typeof value === 'string'
    return [name, isType ? value.toUpperCase() : schemaOf(value)]
  })
  return Object.fromEntries(entries)
}

function toolsOf(scenario, toolbox) {
  return scenario.tools.map(
    ({ name, description, parameters }) =>
      new FunctionTool({
        name,
        description,
        parameters: schemaOf(parameters),
        execute: (args, context) => toolbox.run({ name, args, id: context?.functionCallId }),
      }),
  )
}

function agentOf(scenario, model, tools) {
  const { instruction, thinkingSummaries, streamArguments, api, backend } = scenario
  return new LlmAgent({
    name: 'assistant',
    model: new Gemini({
      model,
      ...(api === 'interactions' ? { useInteractionsApi: true } : {}),
      ...(backend === 'vertex' ? { vertexai: true } : {}),
    }),
    ...(instruction === undefined ? {} : { instruction }),
    tools,
    generateContentConfig: {
      ...(thinkingSummaries ? { thinkingConfig: { includeThoughts: true } } : {}),
      ...(streamArguments
        ? { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }
        : {}),
    },
  })
}

/** One conversation over HTTP. A turn may be of a model of its own: an agent of that, in the same session. */
async function actHttp({ scenario, transcript, runnerFor }) {
  const [turns = []] = scenario.conversations
  const runConfig = { streamingMode: scenario.streaming ? StreamingMode.SSE : StreamingMode.NONE }
  for (const [number, { parts }] of turns.entries()) {
    const runner = runnerFor(scenario.models?.[number] ?? scenario.model)
    await transcript.turn(async tell => {
      const newMessage = { role: 'user', parts }
      const events = runner.runAsync({ ...PLACE, newMessage, runConfig })
      for await (const event of patiently(HTTP_SILENCE_MS, events)) tell(told(event))
    })
  }
}

function told(event) {
  return { ...event, parts: event.content?.parts }
}

/** What this version can't do; undefined: it can. */
function unsupported({ agent, api }) {
  if (agent === 'delegating') return 'There is no agent in chat mode that gives tasks to others.'
  if (agent === 'managed') return 'There is no agent that the service runs.'
  if (api === 'live' && Runner.prototype.runLive === undefined) return 'Its runner has no runLive.'
  return undefined
}

await main(async scenario => {
  const missing = unsupported(scenario)
  if (missing !== undefined) return { runtime, unsupported: missing }
  const transcript = startTranscript(text => /^adk-[0-9a-f-]{36}$/.test(text))
  const toolbox = createToolbox(scenario.tools)
  const tools = toolsOf(scenario, toolbox)
  const sessionService = new InMemorySessionService()
  await sessionService.createSession(PLACE)
  const runnerFor = model =>
    new Runner({ appName: PLACE.appName, agent: agentOf(scenario, model, tools), sessionService })
  if (scenario.api === 'live') {
    const runner = runnerFor(scenario.model)
    await actAdkLive({ adk, runner, place: PLACE, scenario, transcript, told })
  } else {
    await actHttp({ scenario, transcript, runnerFor })
  }
  const { events } = await sessionService.getSession(PLACE)
  return transcript.done({
    runtime,
    session: events.map(event => eventOf(told(event))),
    toolRuns: toolbox.runs,
  })
})
