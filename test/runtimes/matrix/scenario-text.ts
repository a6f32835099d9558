/** What scenarios of all three APIs read alike: names of models, instructions, what is a user's text. */
import type { JsonValue } from '../../../src/wire/json.ts'
import type { Part } from '../invariants/run.ts'
import { record, records, textOf } from '../json.ts'

/** google-adk says to a model who it is; the app has not written that. */
const ADDED_BY_ADK = /\n*You are an agent\. Your internal name is [^]*$/

/** What the app instructs the model to do, of a `systemInstruction` or a text; undefined where it says nothing. */
export function instructionOf(value: JsonValue | undefined): string | undefined {
  const whole =
    textOf(value) ??
    records(record(value)['parts'])
      .map(part => textOf(part['text']) ?? '')
      .join('\n')
  const own = whole.replace(ADDED_BY_ADK, '').trim()
  return own === '' ? undefined : own
}

/** The bare name of a model: `gemini-2.5-flash` of `models/gemini-2.5-flash` or of its name at Vertex AI. */
export function modelName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The parts of what a user says; undefined for anything else: a model's content, or what answers a call. */
export function userParts(content: JsonValue | undefined): readonly Part[] | undefined {
  const { role, parts } = record(content)
  const all = records(parts)
  if (role === 'model' || all.length === 0 || all.some(part => 'functionResponse' in part)) return undefined
  return all
}
