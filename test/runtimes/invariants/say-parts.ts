/** What parts, usage and errors say: the same in the models API and in Live. */
import { oneAlphabet } from '../../../src/dialect/fold.ts'
import { shallow } from '../../../src/dialect/live-fold.ts'
import { base64Length } from '../../../src/wire/base64.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import { items, textOf } from '../json.ts'
import type { ArgumentPiece, Saying } from './said.ts'
import type { TextKind } from './words.ts'

/** Base64 in one spelling: signatures are compared so, since Python spells them in the URL-safe alphabet. */
export function signatureOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? oneAlphabet(value) : undefined
}

/** What the parts of a content say, in order. */
export function sayContent(content: JsonValue | undefined): readonly Saying[] {
  return items(shallow(content)['parts']).flatMap(part => sayPart(shallow(part)))
}

/** Fields that tell more of a part and are none by themselves. */
const BESIDE: ReadonlySet<string> = new Set(['thought', 'thoughtSignature', 'videoMetadata', 'partMetadata'])

function sayPart(part: JsonObject): readonly Saying[] {
  const signature = signatureOf(part['thoughtSignature'])
  const kind = part['thought'] === true ? 'thought' : 'text'
  const fields = Object.entries(part).filter(([key]) => !BESIDE.has(key))
  // A signature that stands alone rides on an empty text, as the others do.
  if (fields.length === 0) return signature === undefined ? [] : [{ ...sayText('', kind), signature }]
  return fields.map(([key, value]) => ({ ...sayField(key, value, kind), signature }))
}

/** A text, or a piece of one. */
export function sayText(text: string, kind: TextKind): Saying {
  return { kind: 'text', text, thought: kind === 'thought' }
}

function sayField(key: string, value: JsonValue, kind: TextKind): Saying {
  switch (key) {
    case 'text':
      return sayText(textOf(value) ?? '', kind)
    case 'functionCall':
      return sayCall(value)
    case 'inlineData': {
      const { mimeType, data } = shallow(value)
      return { kind: 'media', mimeType: textOf(mimeType) ?? '', bytes: base64Length(textOf(data) ?? '') }
    }
    case 'executableCode':
      return { kind: 'code', value }
    case 'codeExecutionResult':
      return { kind: 'outcome', value }
  }
  return { kind: 'unknown', what: `a part with ${key}` }
}

/** A call, a piece of one, or its end. */
export function sayCall(value: JsonValue): Saying {
  const { id, name, args, partialArgs, willContinue } = shallow(value)
  return {
    kind: 'call',
    id: textOf(id),
    name: textOf(name),
    args: isJsonObject(args) ? args : undefined,
    pieces: items(partialArgs).flatMap(pieceOf),
    willContinue: willContinue === true,
  }
}

function pieceOf(item: JsonValue): readonly ArgumentPiece[] {
  const { jsonPath, willContinue: _, ...values } = shallow(item)
  const path = textOf(jsonPath)
  const [kind, value] = Object.entries(values)[0] ?? []
  if (path === undefined || value === undefined) return []
  return [{ path, value: kind === 'nullValue' ? null : value }]
}

/** `usageMetadata`. */
export function sayUsage(value: JsonValue | undefined): readonly Saying[] {
  return isJsonObject(value) ? [{ kind: 'usage', usage: shallow(value) }] : []
}

/** An error object, as google.rpc.Status is spelled over HTTP. */
export function sayError(value: JsonValue): Saying {
  const { code, status, message } = shallow(value)
  return {
    kind: 'error',
    code: typeof code === 'number' ? String(code) : textOf(code),
    status: textOf(status),
    message: textOf(message) ?? textOf(value) ?? '',
  }
}
