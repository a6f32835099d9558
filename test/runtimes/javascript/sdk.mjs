/**
 * Talks to the API by the official SDK, set up by its environment alone, and prints what it got, a JSON value a line.
 *
 * Usage: node sdk.mjs unary | stream | interactions | live
 */
import { GoogleGenAI } from '@google/genai'

const QUESTION = 'When is high tide in Whitby?'
const TIDE = { time: '16:42', height_m: 5.4 }
const DESCRIPTION = 'The next high tide at a harbour.'

function tell(value) {
  console.log(JSON.stringify(value))
}

async function unary(ai) {
  const asked = { role: 'user', parts: [{ text: QUESTION }] }
  const parameters = { type: 'OBJECT', properties: { harbour: { type: 'STRING' } }, required: ['harbour'] }
  const tools = [{ functionDeclarations: [{ name: 'get_tide', description: DESCRIPTION, parameters }] }]
  const model = 'gemini-3-pro-preview'
  const called = await ai.models.generateContent({ model, contents: [asked], config: { tools } })
  tell(called.candidates)
  const [{ content }] = called.candidates
  const [{ id, name }] = called.functionCalls
  const answered = { role: 'user', parts: [{ functionResponse: { id, name, response: TIDE } }] }
  const told = await ai.models.generateContent({
    model,
    contents: [asked, content, answered],
    config: { tools },
  })
  tell(told.candidates)
}

async function stream(ai) {
  const chunks = await ai.models.generateContentStream({
    model: 'gemini-2.5-flash',
    contents: 'Why is the sea salty?',
    config: { temperature: 0.5, maxOutputTokens: 64 },
  })
  for await (const { candidates } of chunks) tell(candidates)
}

async function interactions(ai) {
  const parameters = { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] }
  const common = {
    model: 'gemini-3-flash-preview',
    store: false,
    stream: true,
    generation_config: { thinking_summaries: 'auto' },
    tools: [{ type: 'function', name: 'get_tide', description: DESCRIPTION, parameters }],
  }
  const steps = [{ type: 'user_input', content: [{ type: 'text', text: QUESTION }] }]
  for await (const event of await ai.interactions.create({ ...common, input: QUESTION })) {
    tell(event)
    const step = steps[event.index + 1]
    if (event.event_type === 'step.start') steps.push({ ...event.step })
    if (event.event_type !== 'step.delta') continue
    const { type, content, signature, arguments: piece } = event.delta
    if (type === 'thought_summary') step.summary = [content]
    if (type === 'thought_signature') step.signature = signature
    if (type === 'arguments_delta') step.text = `${step.text ?? ''}${piece}`
  }
  const [asked, thought, { id, name, text }] = steps
  const call = { type: 'function_call', id, name, arguments: JSON.parse(text) }
  const result = { type: 'function_result', call_id: id, name, result: TIDE }
  for await (const event of await ai.interactions.create({
    ...common,
    input: [asked, thought, call, result],
  })) {
    tell(event)
  }
}

async function live(ai) {
  let over
  const ended = new Promise(resolve => (over = resolve))
  const session = await ai.live.connect({
    model: 'gemini-live-2.5-flash-preview',
    config: { responseModalities: ['TEXT'], temperature: 0.5 },
    callbacks: {
      onmessage(message) {
        tell(message)
        if (message.serverContent?.turnComplete === true) over()
      },
    },
  })
  const turns = [{ role: 'user', parts: [{ text: 'Who kept the light at Flamborough?' }] }]
  session.sendClientContent({ turns, turnComplete: true })
  await ended
  session.close()
}

const vertexai = process.env.GOOGLE_GENAI_USE_VERTEXAI === 'true'
await { unary, stream, interactions, live }[process.argv[2]](new GoogleGenAI(vertexai ? { vertexai } : {}))
