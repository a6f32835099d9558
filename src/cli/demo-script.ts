/**
 * What the demo's app does: a streamed answer, a tool turn with a thought signature, an Interactions tool turn, and
 * a Live turn that it interrupts.
 *
 * Each follow-up is made of what came before, signatures included, as an app's is. The questions are those
 * of the shipped cassettes.
 *
 * Room: cli.
 */
import type { DemoClient, Part, Piece } from './demo-client.ts'
import type { LiveMessage, LiveSession } from './demo-live.ts'

/** The shipped cassettes that have the answers. */
export const DEMO_CASSETTES: readonly string[] = [
  'streamed-answer',
  'tool-turn',
  'interactions-tool-turn',
  'live-interrupted-text',
].map(name => `${name}.cassette.yaml`)

const QUESTION = 'When is high tide in Whitby?'
const TOOL = { name: 'get_tide', description: 'The next high tide at a harbour.' }
const TIDE = { time: '16:42', height_m: 5.4 }

/** Runs the app, its Live session by a client of its own. Returns what it saw, for people: a line for each thing. */
export async function playScript(client: DemoClient, liveClient: DemoClient): Promise<readonly string[]> {
  return [
    ...(await streamedAnswer(client)),
    ...(await toolTurn(client)),
    ...(await interactionsTurn(client)),
    ...(await interruptedTurn(liveClient)),
  ]
}

async function streamedAnswer(client: DemoClient): Promise<readonly string[]> {
  const question = 'Why is the sea salty?'
  const pieces = await client.stream({
    model: 'gemini-2.5-flash',
    contents: [{ role: 'user', parts: [{ text: question }] }],
    settings: { temperature: 0.5, maxOutputTokens: 64 },
  })
  return [`stream        ${question}`, `              ${textOf(pieces)} (${pieces.length} events)`]
}

async function toolTurn(client: DemoClient): Promise<readonly string[]> {
  const parameters = { type: 'OBJECT', properties: { harbour: { type: 'STRING' } }, required: ['harbour'] }
  const request = { model: 'gemini-3-pro-preview', functions: [{ ...TOOL, parameters }] }
  const question = { role: 'user', parts: [{ text: QUESTION }] }
  const parts = partsOf(await client.generate({ ...request, contents: [question] }))
  const { functionCall, thoughtSignature } = parts.find(part => part.functionCall !== undefined) ?? {}
  const functionResponse = { id: functionCall?.id, name: functionCall?.name, response: TIDE }
  const answer = await client.generate({
    ...request,
    contents: [question, { role: 'model', parts }, { role: 'user', parts: [{ functionResponse }] }],
  })
  return [
    `tool turn     ${QUESTION}`,
    `              ${called(functionCall?.name, JSON.stringify(functionCall?.args), thoughtSignature)}`,
    `              ${textOf(answer)}`,
  ]
}

async function interactionsTurn(client: DemoClient): Promise<readonly string[]> {
  const parameters = { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] }
  const request = {
    model: 'gemini-3-flash-preview',
    store: false,
    generation_config: { thinking_summaries: 'auto' },
    tools: [{ type: 'function', ...TOOL, parameters }],
  }
  const events = await client.interact({ ...request, input: QUESTION })
  const at = (type: string) => stepOf(events, type)
  const [thought, call] = [at('thought'), at('function_call')]
  const answer = await client.interact({
    ...request,
    input: [
      { type: 'user_input', content: [{ type: 'text', text: QUESTION }] },
      { type: 'thought', signature: thought.signature, summary: [{ type: 'text', text: thought.text }] },
      { type: 'function_call', id: call.id, name: call.name, arguments: JSON.parse(call.arguments) },
      { type: 'function_result', call_id: call.id, name: call.name, result: TIDE },
    ],
  })
  return [
    `interactions  ${QUESTION}`,
    `              ${thought.text}`,
    `              ${called(call.name, call.arguments, thought.signature)}`,
    `              ${stepOf(answer, 'model_output').text}`,
  ]
}

/** The model is cut short in the middle of a sentence; a piece that was on its way comes all the same. */
async function interruptedTurn(client: DemoClient): Promise<readonly string[]> {
  const questions = [
    'Tell me the history of the lighthouse at Flamborough Head.',
    'Stop. Just the year it was lit.',
  ]
  const turns: string[] = ['']
  let pieces = 0

  function hear({ setupComplete, serverContent }: LiveMessage, session: LiveSession): void {
    if (setupComplete !== undefined) session.say(questions[0] ?? '')
    const parts = serverContent?.modelTurn?.parts
    if (parts !== undefined) {
      turns.push(`${turns.pop()}${parts.map(({ text }) => text ?? '').join('')}`)
      pieces += 1
      if (pieces === 2) session.say(questions[1] ?? '')
    }
    if (serverContent?.interrupted === true) turns.push(`${turns.pop()} [interrupted]`)
    if (serverContent?.turnComplete !== true) return
    if (turns.length === questions.length) session.close()
    else turns.push('')
  }

  await client.converse('gemini-live-2.5-flash-preview', hear)
  return questions.flatMap((question, turn) => [
    `${turn === 0 ? 'live          ' : '              '}${question}`,
    `              ${turns[turn] ?? ''}`,
  ])
}

function partsOf(answers: readonly Piece[]): readonly Part[] {
  return answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
}

function textOf(answers: readonly Piece[]): string {
  return partsOf(answers)
    .map(({ text }) => text ?? '')
    .join('')
}

/** The first step of a type, put together from its events. */
function stepOf(
  events: readonly Piece[],
  type: string,
): Record<'id' | 'name' | 'text' | 'signature' | 'arguments', string> {
  const start = events.find(({ step }) => step?.type === type)
  const deltas = events.flatMap(({ index, delta }) =>
    index === start?.index && delta !== undefined ? [delta] : [],
  )
  return {
    id: start?.step?.id ?? '',
    name: start?.step?.name ?? '',
    text: deltas.map(({ text, content }) => text ?? content?.text ?? '').join(''),
    signature: deltas.map(({ signature }) => signature ?? '').join(''),
    arguments: deltas.map(delta => delta.arguments ?? '').join(''),
  }
}

function called(name: string | undefined, args: string | undefined, signature = ''): string {
  return `${name}(${args}), signed ${signature.slice(0, 8)}… (${signature.length} characters)`
}
