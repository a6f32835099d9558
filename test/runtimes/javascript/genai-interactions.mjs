/**
 * An app on the Interactions API of @google/genai: goes on from the interaction before, and sends what the tools came
 * to. Runs in a page as well as in Node.
 */
import { HTTP_SILENCE_MS, patiently, within } from './patience.mjs'

/** How often an app sends something in one turn, to a model that never stops calling tools. */
const ROUNDS = 6
/** Ends of an interaction that are none an app would go on from. */
const FAILED = ['failed', 'cancelled', 'incomplete', 'budget_exceeded']

/** Acts the scenario. The SDK stores nothing: the service does. */
export async function actInteractions({ ai, scenario, transcript, toolbox }) {
  const [turns = []] = scenario.conversations
  let previous
  for (const [number, { parts }] of turns.entries()) {
    const model = scenario.models?.[number] ?? scenario.model
    const send = input =>
      within(
        HTTP_SILENCE_MS,
        ai.interactions.create({
          ...requestOf(scenario, model),
          input,
          ...(previous && { previous_interaction_id: previous }),
        }),
      )
    const follow = id => (previous = id)
    await transcript.turn(tell =>
      haveTurn(parts, { send, tell, toolbox, follow, streaming: scenario.streaming }),
    )
  }
  return null
}

function requestOf({ agent, agentId, instruction, tools, thinkingSummaries, streaming }, model) {
  const declared = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }))
  return {
    ...(agent === 'managed' ? { agent: agentId, background: true } : { model }),
    ...(streaming ? { stream: true } : {}),
    ...(instruction === undefined ? {} : { system_instruction: instruction }),
    ...(declared.length > 0 ? { tools: declared } : {}),
    ...(thinkingSummaries ? { generation_config: { thinking_summaries: 'auto' } } : {}),
  }
}

async function haveTurn(parts, { send, tell, toolbox, follow, streaming }) {
  const content = parts.map(({ text }) => ({ type: 'text', text }))
  let input = [{ type: 'user_input', content }]
  for (let round = 0; round < ROUNDS && input.length > 0; round++) {
    const answer = await send(input)
    const calls = []
    const hear = fields => {
      tell({ author: 'model', ...fields })
      const called = fields.parts?.flatMap(({ functionCall }) => functionCall ?? []) ?? []
      calls.push(...called)
    }
    const id = streaming ? await hearEvents(answer, hear) : hearWhole(answer, hear)
    if (id !== undefined) follow(id)
    input = calls.map(call => ({
      type: 'function_result',
      call_id: call.id,
      name: call.name,
      result: toolbox.run(call),
    }))
  }
}

/** A whole interaction. Returns the id to go on from. */
function hearWhole(interaction, hear) {
  const { id, status, steps = [] } = interaction
  hear({ parts: steps.flatMap(partsOf), ...endOf(interaction) })
  return FAILED.includes(status) ? undefined : id
}

/** The events of a stream. Returns the id to go on from. */
async function hearEvents(events, hear) {
  const steps = new Map()
  const hearParts = parts => parts.length > 0 && hear({ parts })
  let completed
  for await (const event of patiently(HTTP_SILENCE_MS, events)) {
    const { event_type: type, index, step, delta, interaction, error, status, interaction_id: id } = event
    if (type === 'step.start') {
      steps.set(index, { ...step, json: '' })
      hearParts(step.type === 'function_call' ? [] : partsOf(step))
    }
    if (type === 'step.delta' && delta.type === 'arguments_delta') steps.get(index).json += delta.arguments
    if (type === 'step.delta') hearParts(partsOfDelta(delta))
    // The SDK hands out the arguments as text, in pieces. Any app has to put them together.
    if (type === 'step.stop' && steps.get(index)?.type === 'function_call') {
      hearParts(partsOf(folded(steps.get(index))))
    }
    if (type === 'interaction.status_update' && FAILED.includes(status)) hear(endOf({ id, status }))
    if (type === 'interaction.completed') {
      hear(endOf(interaction))
      if (!FAILED.includes(interaction.status)) completed = interaction.id
    }
    if (type === 'error') hear({ errorCode: String(error?.code), errorMessage: error?.message })
  }
  return completed
}

function folded({ json, ...step }) {
  return json === '' ? step : { ...step, arguments: JSON.parse(json) }
}

function endOf({ id, status, usage, errors }) {
  const [{ code = status, message } = {}] = errors ?? []
  return {
    interactionId: id,
    usageMetadata: usage,
    ...(FAILED.includes(status) ? { errorCode: code, errorMessage: message } : {}),
  }
}

/** A step in the spelling of parts. */
function partsOf(step) {
  const {
    type,
    id,
    name,
    arguments: args = {},
    signature: thoughtSignature,
    summary = [],
    content = [],
  } = step
  const texts = (type === 'thought' ? summary : content).flatMap(({ text }) => text ?? [])
  if (type === 'function_call') return [{ functionCall: { id, name, args }, thoughtSignature }]
  if (type === 'thought') {
    const [last = {}, ...before] = texts.map(text => ({ text })).toReversed()
    const parts = [...before.toReversed(), { ...last, thoughtSignature }].map(part => ({
      ...part,
      thought: true,
    }))
    return texts.length > 0 || thoughtSignature !== undefined ? parts : []
  }
  return texts.map(text => ({ text }))
}

function partsOfDelta({ type, text, content, signature }) {
  if (type === 'text') return [{ text }]
  if (type === 'thought_summary') return [{ text: content?.text, thought: true }]
  if (type === 'thought_signature') return [{ thought: true, thoughtSignature: signature }]
  return []
}
