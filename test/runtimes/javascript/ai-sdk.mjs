/**
 * The AI SDK, `ai` with its providers for Google, as an app uses it: a loop of steps in which the runtime runs the
 * tools, and messages that the app keeps, each turn's response put behind what was said.
 *
 * Usage: node --experimental-import-meta-resolve ai-sdk.mjs ai-sdk@VERSION SCENARIO.json
 */
import { contentOf, partsOf } from './ai-sdk-parts.mjs'
import { HTTP_SILENCE_MS, patiently, within } from './patience.mjs'
import { imported, installed, main } from './program.mjs'
import { createToolbox } from './toolbox.mjs'
import { eventOf, startTranscript } from './transcript.mjs'

const { generateText, jsonSchema, stepCountIs, streamText, tool } = await imported('ai')
const { createGoogleGenerativeAI } = await imported('@ai-sdk/google')
const { createVertex } = await imported('@ai-sdk/google-vertex')

/** How many steps the app lets a turn have, with a model that never stops calling tools. */
const STEPS = 6
/** Ends of an interaction that are none an app would go on from. */
const FAILED = ['failed', 'cancelled', 'incomplete', 'budget_exceeded']
const runtime = installed('ai', '@ai-sdk/google', '@ai-sdk/google-vertex')
const {
  GEMINI_API_KEY: apiKey,
  GOOGLE_GEMINI_BASE_URL: geminiUrl,
  GOOGLE_VERTEX_BASE_URL: vertexUrl,
  GOOGLE_CLOUD_PROJECT: project,
  GOOGLE_CLOUD_LOCATION: location,
} = process.env

/** The provider reads no variables of Google's but the key; an app has to. */
function modelFor({ backend, api }) {
  if (backend === 'vertex') {
    const path = `/v1beta1/projects/${project}/locations/${location}/publishers/google`
    return createVertex({ project, location, baseURL: new URL(path, vertexUrl).href })
  }
  const google = createGoogleGenerativeAI({ apiKey, baseURL: new URL('/v1beta', geminiUrl).href })
  return api === 'interactions' ? google.interactions : google
}

function toolsOf(scenario, toolbox) {
  const entries = scenario.tools.map(({ name, description, parameters }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(parameters),
      execute: (args, { toolCallId }) => toolbox.run({ name, args, id: toolCallId }),
    }),
  ])
  return Object.fromEntries(entries)
}

/** What the app asks for besides, in the provider's namespace. */
function providerOptionsOf({ backend, api, thinkingSummaries, streamArguments }, previousInteractionId) {
  const thinking =
    api === 'interactions' ? { thinkingSummaries: 'auto' } : { thinkingConfig: { includeThoughts: true } }
  const options = {
    ...(thinkingSummaries ? thinking : {}),
    ...(streamArguments ? { streamFunctionCallArguments: true } : {}),
    ...(previousInteractionId && { previousInteractionId }),
  }
  return { [backend === 'vertex' ? 'vertex' : 'google']: options }
}

/** What the app sees of a stream: its pieces, each step's end, an error. Returns the messages of the response. */
async function stream(request, tell) {
  const result = streamText(request)
  let failure
  for await (const piece of patiently(HTTP_SILENCE_MS, result.fullStream)) {
    if (piece.type === 'error') failure = piece.error
    else if (piece.type === 'finish-step') tell({ author: 'model', ...endOf(piece) })
    else tellParts(piece, tell)
  }
  if (failure !== undefined) throw failure
  return whole(result)
}

async function unary(request, tell) {
  const result = await within(HTTP_SILENCE_MS, generateText(request))
  for (const step of result.steps) {
    const [said, done] = [[], []]
    for (const part of step.content) (part.type.startsWith('tool-result') ? done : said).push(part)
    tell({ author: 'model', parts: partsOf(said), ...endOf(step) })
    if (done.length > 0) tell({ author: 'user', parts: partsOf(done) })
  }
  return whole(result)
}

/** The messages of all steps; the versions differ in where they are. And the interaction to go on from. */
async function whole(result) {
  const messages = result.responseMessages ?? Promise.resolve(result.response).then(last => last.messages)
  const ends = [result.providerMetadata, result.rawFinishReason]
  const [all, metadata, reason] = await within(HTTP_SILENCE_MS, Promise.all([messages, ...ends]))
  return {
    messages: all,
    interactionId: FAILED.includes(reason) ? undefined : metadata?.google?.interactionId,
  }
}

function tellParts(piece, tell) {
  const parts = partsOf(piece)
  const author = ['tool-result', 'tool-error'].includes(piece.type) ? 'user' : 'model'
  if (parts.length > 0) tell({ author, parts })
}

/** An interaction has a status where a response has the reason of its end. */
function endOf({ finishReason, rawFinishReason = finishReason, usage, providerMetadata }) {
  const interactionId = providerMetadata?.google?.interactionId
  const hasFailed = FAILED.includes(rawFinishReason)
  return {
    ...(interactionId === undefined ? { finishReason: rawFinishReason } : { interactionId }),
    ...(hasFailed ? { errorCode: rawFinishReason } : {}),
    usageMetadata: usage?.raw,
  }
}

async function act(scenario, toolbox, transcript) {
  const tools = toolsOf(scenario, toolbox)
  const provider = modelFor(scenario)
  const messages = []
  let previous
  for (const [number, { parts }] of scenario.conversations[0].entries()) {
    messages.push({ role: 'user', content: contentOf(parts) })
    const request = {
      model: provider(scenario.models?.[number] ?? scenario.model),
      ...(scenario.instruction === undefined ? {} : { system: scenario.instruction }),
      messages: [...messages],
      ...(scenario.tools.length > 0 ? { tools } : {}),
      stopWhen: stepCountIs(STEPS),
      providerOptions: providerOptionsOf(scenario, previous),
    }
    await transcript.turn(async tell => {
      const response = await (scenario.streaming ? stream : unary)(request, tell)
      messages.push(...response.messages)
      previous = response.interactionId ?? previous
    })
  }
  return messages
}

/** What this version can't do; undefined: it can. */
function unsupported({ agent, api }) {
  if (agent === 'delegating') return 'It has no agents that delegate to others.'
  if (agent === 'managed') return 'This program asks a model, not an agent that the service runs.'
  if (api === 'live') return 'The program acts over HTTP only.'
  if (api === 'interactions' && createGoogleGenerativeAI({ apiKey }).interactions === undefined) {
    return 'This version has no Interactions API.'
  }
  return undefined
}

await main(async scenario => {
  const missing = unsupported(scenario)
  if (missing !== undefined) return { runtime, unsupported: missing }
  const transcript = startTranscript(id => /^[A-Za-z0-9]{16}$/.test(id))
  const toolbox = createToolbox(scenario.tools)
  const messages = await act(scenario, toolbox, transcript)
  const session = messages.map(({ role, content }) =>
    eventOf({ author: role === 'assistant' ? 'model' : 'user', parts: partsOf(content) }),
  )
  return transcript.done({ runtime, session, toolRuns: toolbox.runs })
})
