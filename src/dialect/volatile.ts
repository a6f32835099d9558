/**
 * What differs between two runs of the same client although nothing is wrong: presets by name, always applied.
 *
 * Each needs its evidence, and names a field or a shape so narrow that it hides nothing else. What no preset can
 * know (a date in a prompt, an id of the app's own) is for `ignore`.
 *
 * Room: dialect.
 */
import { isJsonList, isJsonObject, type JsonValue } from '../wire/json.ts'

/** One preset. `docs/matching.md` has a row for each, with its evidence; a test keeps the two in step. */
export interface Preset {
  readonly name: string
  /** The dialects that it is applied in, by their names in a cassette. */
  readonly dialects: readonly string[]
}

/** All presets. */
export const PRESETS: readonly Preset[] = [
  { name: 'expiry-times', dialects: ['generate-content', 'live'] },
  { name: 'batch-names', dialects: ['generate-content'] },
  { name: 'empty-settings', dialects: ['generate-content', 'live'] },
  { name: 'client-call-ids', dialects: ['generate-content', 'interactions', 'live'] },
  { name: 'session-handles', dialects: ['live'] },
  { name: 'secrets', dialects: ['generate-content', 'interactions', 'live', 'unknown'] },
  { name: 'projects', dialects: ['generate-content', 'interactions', 'live', 'unknown'] },
]

/** `expiry-times`: moments that an app computes from its clock, a token's or a cache's end (js-genai `types.ts`). */
const EXPIRY: ReadonlySet<string> = new Set(['expireTime', 'newSessionExpireTime'])

/** `batch-names`: names that a client library makes of the time (js-genai and python-genai `batches`). */
const CLOCK_NAME = /^genai_?batch_?job_[\d.]+$/i

/** `client-call-ids`: the id that an ADK gives to a call that came without one (`AF_FUNCTION_CALL_ID_PREFIX` in each). */
const CALL_ID = /^adk-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** True for a field whose value does not count. `name` is in camelCase. */
export function isVolatile(name: string, value: JsonValue): boolean {
  return (
    EXPIRY.has(name) ||
    (name === 'displayName' && typeof value === 'string' && CLOCK_NAME.test(value)) ||
    (name === 'generationConfig' && isEmpty(value))
  )
}

/** `empty-settings`: a message without fields sets nothing; whether it is sent is the client library's affair. */
function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}

/**
 * Numbers the call ids that a client made, in the order in which a request names them: which of them are the
 * same still counts. Other ids stay as they are.
 */
export function createCallIds(): (id: string) => string {
  const numbers = new Map<string, number>()
  return id => {
    if (!CALL_ID.test(id)) return id
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return `adk-#${number}`
  }
}

/** Fields of steps that are a tool's or the user's own. */
const OWN: ReadonlySet<string> = new Set(['arguments', 'result', 'parameters'])

/** The same for every `id` and `call_id` of a body in snake_case. */
export function foldCallIds(body: JsonValue, callId: (id: string) => string = createCallIds()): JsonValue {
  if (isJsonList(body)) return body.map(item => foldCallIds(item, callId))
  if (!isJsonObject(body)) return body
  const entries = Object.entries(body).map(([key, value]): [string, JsonValue] => {
    if (OWN.has(key)) return [key, value]
    if ((key === 'id' || key === 'call_id') && typeof value === 'string') return [key, callId(value)]
    return [key, foldCallIds(value, callId)]
  })
  return Object.fromEntries(entries)
}
