/**
 * An app on the chats of @google/genai: sends what the user says, runs the tools that the model calls and sends what
 * they came to, in one message. Runs in a page as well as in Node.
 */
import { configOf } from './genai-config.mjs'
import { HTTP_SILENCE_MS, patiently, within } from './patience.mjs'
import { eventOf } from './transcript.mjs'

/** How often an app sends something in one turn, to a model that never stops calling tools. */
const ROUNDS = 6

/** Acts the scenario. Returns the chat's history, the whole of it, as events. */
export async function actChat({ ai, scenario, transcript, toolbox }) {
  const config = configOf(scenario)
  const modelOf = number => scenario.models?.[number] ?? scenario.model
  let chat = ai.chats.create({ model: modelOf(0), config })
  const [turns = []] = scenario.conversations
  for (const [number, { parts }] of turns.entries()) {
    // A chat has one model. One with another begins with what this one would have sent.
    if (number > 0 && modelOf(number) !== modelOf(number - 1)) {
      chat = ai.chats.create({ model: modelOf(number), config, history: chat.getHistory(true) })
    }
    const send = scenario.streaming ? message => streamed(chat, message) : message => unary(chat, message)
    await transcript.turn(tell => haveTurn(parts, { send, tell, toolbox }))
  }
  return chat.getHistory().map(({ role, parts }) => eventOf({ author: role, parts }))
}

async function* streamed(chat, message) {
  const chunks = await within(HTTP_SILENCE_MS, chat.sendMessageStream({ message }))
  yield* patiently(HTTP_SILENCE_MS, chunks)
}

async function* unary(chat, message) {
  yield await within(HTTP_SILENCE_MS, chat.sendMessage({ message }))
}

async function haveTurn(parts, { send, tell, toolbox }) {
  let message = parts
  for (let round = 0; round < ROUNDS && message.length > 0; round++) {
    const calls = []
    for await (const response of send(message)) {
      tell(told(response))
      calls.push(...(response.functionCalls ?? []).filter(isWhole))
    }
    message = calls.map(({ id, name, args }) => ({
      functionResponse: { ...(id ? { id } : {}), name, response: toolbox.run({ id, name, args }) },
    }))
  }
}

/** The SDK hands out the pieces of a streamed call as they came, and folds none. An app can run what is whole. */
function isWhole({ name, willContinue, partialArgs }) {
  return name !== undefined && willContinue !== true && partialArgs === undefined
}

function told({ candidates, usageMetadata, promptFeedback }) {
  const [{ content, finishReason, finishMessage } = {}] = candidates ?? []
  return {
    author: 'model',
    parts: content?.parts,
    finishReason,
    usageMetadata,
    errorCode: promptFeedback?.blockReason,
    errorMessage: promptFeedback?.blockReasonMessage ?? finishMessage,
  }
}
