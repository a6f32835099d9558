/**
 * An app on the Live API of @google/genai: shows what comes, answers tool calls, and begins a later connection with
 * what was said before. The SDK stores nothing of that: the app does. Runs in a page as well as in Node.
 */
import { configOf } from './genai-config.mjs'
import { createMemory } from './live-memory.mjs'
import { converse } from './live-turns.mjs'
import { createQueue, LIVE_SILENCE_MS, within } from './patience.mjs'

const TEXT = { responseModalities: ['TEXT'] }
const AUDIO = { responseModalities: ['AUDIO'], inputAudioTranscription: {}, outputAudioTranscription: {} }

/** A page decodes a message while the next event comes already: what came before a close may be told after it. */
const LAST_WORDS_MS = 50
/** How long the tools run. */
const TOOL_MS = 20

/** The service hung up. */
class ConnectionClosed extends Error {
  constructor({ code, reason }) {
    super(reason || 'the connection was closed')
    this.code = code
  }
}

/** Acts the scenario. */
export async function actLive({ ai, scenario, transcript, toolbox }) {
  const memory = createMemory()
  for (const turns of scenario.conversations) {
    await transcript.turn(tell => haveConnection(turns, { ai, scenario, memory, tell, toolbox, transcript }))
  }
  return null
}

async function haveConnection(turns, { ai, scenario, memory, tell, toolbox, transcript }) {
  const { session, incoming } = await connect(ai, scenario)
  const turnsBefore = memory.turns()
  if (turnsBefore.length > 0) session.sendClientContent({ turns: turnsBefore, turnComplete: false })
  let isLeaving = false
  let isAnswering = false
  const cancelled = new Set()
  const isCancelled = id => isLeaving || cancelled.has(id)
  const hear = ({ message, error, closed }) => {
    if (error !== undefined) throw error
    if (closed !== undefined) {
      // 1000 is a proper end, but not of a turn that is not over.
      if (!isLeaving && (closed.code !== 1000 || isAnswering)) throw new ConnectionClosed(closed)
      return false
    }
    tellMessage(message, tell)
    memory.hear(message)
    for (const id of message.toolCallCancellation?.ids ?? []) {
      cancelled.add(id)
      transcript.note(`the app was told that ${id} is cancelled`)
    }
    answerCalls(message, { session, memory, toolbox, isCancelled })
    const isEnd = message.serverContent?.turnComplete === true
    if (isEnd) isAnswering = false
    return isEnd
  }
  const sayTurn = turn => {
    isAnswering = true
    say(turn, session, memory)
  }
  const hangUp = () => {
    isLeaving = true
    session.close()
  }
  try {
    await converse(turns, { say: sayTurn, incoming, hear, hangUp })
  } finally {
    hangUp()
  }
}

async function connect(ai, scenario) {
  const incoming = createQueue()
  const leave = closed => {
    incoming.push({ closed })
    incoming.end()
  }
  const resumption = scenario.resumption ? { sessionResumption: {} } : {}
  const session = await within(
    LIVE_SILENCE_MS,
    ai.live.connect({
      model: scenario.model,
      config: { ...(scenario.audio ? AUDIO : TEXT), ...configOf(scenario), ...resumption },
      callbacks: {
        onmessage: message => incoming.push({ message }),
        onerror: ({ error, message }) => incoming.push({ error: error ?? new Error(message) }),
        onclose: closed => setTimeout(() => leave(closed), LAST_WORDS_MS),
      },
    }),
  )
  return { session, incoming }
}

function say({ parts, how }, session, memory) {
  if (how === 'audio') {
    for (const { inlineData } of parts) session.sendRealtimeInput({ audio: inlineData })
    return
  }
  const content = { role: 'user', parts }
  memory.say(content)
  if (how === 'content') session.sendClientContent({ turns: [content], turnComplete: true })
  else for (const { text } of parts) session.sendRealtimeInput({ text })
}

/** Runs the tools, which takes a moment. What is cancelled by then, or has nobody to hear it, is not answered. */
function answerCalls({ toolCall }, { session, memory, toolbox, isCancelled }) {
  const calls = toolCall?.functionCalls ?? []
  if (calls.length === 0) return
  setTimeout(() => {
    const wanted = calls.filter(({ id }) => !isCancelled(id))
    if (wanted.length === 0) return
    const functionResponses = wanted.map(({ id, name, args }) => ({
      id,
      name,
      response: toolbox.run({ id, name, args }),
    }))
    session.sendToolResponse({ functionResponses })
    memory.say({
      role: 'user',
      parts: functionResponses.map(functionResponse => ({ functionResponse })),
    })
  }, TOOL_MS)
}

function tellMessage({ serverContent, toolCall, usageMetadata }, tell) {
  const calls = (toolCall?.functionCalls ?? []).map(functionCall => ({ functionCall }))
  if (serverContent === undefined && calls.length === 0 && usageMetadata === undefined) return
  const parts = [...(serverContent?.modelTurn?.parts ?? []), ...calls]
  tell({ ...serverContent, author: 'model', parts, usageMetadata })
}
