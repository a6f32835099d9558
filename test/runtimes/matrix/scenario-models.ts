/** The scenario of `generateContent` and `streamGenerateContent`. */
import { type JsonObject, sameJson } from '../../../src/wire/json.ts'
import type { Scenario, Turn } from '../invariants/run.ts'
import type { Case, CaseExchange } from './case.ts'
import { specialistOf } from './exceptions.ts'
import { camelCased, record, records } from '../json.ts'
import { instructionOf, modelName, userParts } from './scenario-text.ts'
import { declaredOnce, type Named, named, once, toolsOf } from './scenario-tools.ts'

/** One request of a recording. */
interface Asked {
  readonly model: string
  readonly streaming: boolean
  /** In camelCase. */
  readonly body: JsonObject
  readonly instruction: string | undefined
  readonly contents: readonly JsonObject[]
}

/** The scenario, but for what every scenario has. */
export function modelsScenario({ name, exchanges }: Case): Omit<Scenario, 'name' | 'backend'> {
  const all = exchanges.flatMap(askedOf)
  const [first] = all
  if (first === undefined)
    throw new Error(`${name} has no request for content: nobody knows what its app says. Record one.`)
  const specialist = specialistOf(name)
  // The specialist has a conversation of its own, which is none of the app's.
  const asked = all.filter(({ instruction }) => specialist === undefined || instruction === first.instruction)
  const begun = beginningsOf(asked)
  const models = begun.map(({ model }) => model)
  const { generationConfig, toolConfig } = first.body
  return {
    api: 'generate-content',
    streaming: first.streaming,
    model: first.model,
    ...(new Set(models).size > 1 ? { models } : {}),
    agent: specialist === undefined ? 'single' : 'delegating',
    ...(first.instruction === undefined ? {} : { instruction: first.instruction }),
    tools: toolsIn(specialist === undefined ? exchanges : [], asked).filter(
      ({ name: tool }) => tool !== specialist,
    ),
    conversations: [begun.map(({ turn }) => turn)],
    audio: false,
    resumption: false,
    streamArguments:
      record(record(toolConfig)['functionCallingConfig'])['streamFunctionCallArguments'] === true,
    thinkingSummaries: record(record(generationConfig)['thinkingConfig'])['includeThoughts'] === true,
  }
}

function askedOf({ kind, url, said }: CaseExchange): readonly Asked[] {
  const { pathname } = new URL(url)
  const [, model, method] = /([^/]+):(generateContent|streamGenerateContent)$/.exec(pathname) ?? []
  if (kind !== 'generate-content' || model === undefined) return []
  const body = record(camelCased(said.find(({ from }) => from === 'client')?.value ?? {}))
  return [
    {
      model: modelName(model),
      streaming: method === 'streamGenerateContent',
      body,
      instruction: instructionOf(body['systemInstruction']),
      contents: records(body['contents']),
    },
  ]
}

/** The requests that begin a turn: the last thing in them is what the user says, and it is no second attempt. */
function beginningsOf(asked: readonly Asked[]): readonly { readonly model: string; readonly turn: Turn }[] {
  return asked.flatMap(({ model, contents }, index) => {
    const parts = userParts(contents.at(-1))
    if (parts === undefined || sameJson(contents, asked[index - 1]?.contents)) return []
    return [{ model, turn: { parts, how: 'content' as const } }]
  })
}

function toolsIn(exchanges: readonly CaseExchange[], asked: readonly Asked[]): Scenario['tools'] {
  const answers = exchanges.flatMap(({ said }) => said.filter(({ from }) => from === 'server'))
  const contents = answers.flatMap(({ value }) =>
    records(record(camelCased(value ?? {}))['candidates']).map(({ content }) => content),
  )
  return toolsOf({
    declared: declaredIn(asked),
    called: [...asked.flatMap(one => one.contents), ...contents.map(record)].flatMap(content =>
      pieces(content, 'functionCall', 'args'),
    ),
    answered: once(asked.flatMap(one => one.contents.flatMap(pieceByPlace))),
  })
}

/** What the requests declare, the first time that each tool is. */
function declaredIn(asked: readonly Asked[]): readonly JsonObject[] {
  return declaredOnce(
    asked.flatMap(({ body }) =>
      records(body['tools']).flatMap(({ functionDeclarations }) => records(functionDeclarations)),
    ),
  )
}

function pieces(
  content: JsonObject,
  field: 'functionCall' | 'functionResponse',
  key: 'args' | 'response',
): readonly Named[] {
  return records(content['parts']).flatMap(part => (field in part ? [named(part[field], key)] : []))
}

/** A response without an id is known by its place: the requests after it hold it at the same one. */
function pieceByPlace(content: JsonObject, place: number): readonly Named[] {
  return pieces(content, 'functionResponse', 'response').map((one, index) => ({
    ...one,
    id: one.id ?? `${place}/${index}`,
  }))
}
