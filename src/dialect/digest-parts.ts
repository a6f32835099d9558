/**
 * Digests of what the models API and its sockets have in common: contents and their parts, usage, errors.
 *
 * Source: js-genai `types.ts`, `Part`, `FunctionCall`, `PartialArg`, `UsageMetadata`; google.rpc.Status.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'
import type { DigestBody, DigestItem } from './digest.ts'
import { shallow } from './live-fold.ts'
import type { Weigh } from './trace.ts'

/** Every part of a content; a content may also be a bare text. */
export function digestContent(content: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  const { parts } = shallow(content)
  return listOf(parts).flatMap(part => digestPart(part, weigh))
}

function digestPart(part: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (typeof part === 'string') return [{ kind: 'text', text: part }]
  const { thoughtSignature, thought, ...rest } = shallow(part)
  const signature = textOf(thoughtSignature)
  const kind = thought === true ? 'thought' : 'text'
  const items = Object.entries(rest).flatMap(([key, value]) => {
    // An empty text is what a signature rides on, and says nothing itself.
    if (key === 'text' && value === '' && signature !== undefined) return []
    return digestField(key, value, kind, weigh)
  })
  return signature === undefined ? items : [...items, { kind: 'signature', signature }]
}

function digestField(
  key: string,
  value: JsonValue,
  kind: 'text' | 'thought',
  weigh: Weigh,
): readonly DigestItem[] {
  switch (key) {
    case 'text':
      return typeof value === 'string' ? [{ kind, text: value }] : []
    case 'functionCall':
      return digestCall(value)
    case 'functionResponse':
      return [digestResult(value)]
    case 'inlineData':
      return [digestMedia(value, weigh)]
  }
  return [{ kind: 'other', name: key, value }]
}

/** A call that is whole, one that begins, a piece of its arguments, or its bare end. */
export function digestCall(call: JsonValue): readonly DigestItem[] {
  const { name, id, args, partialArgs, willContinue } = shallow(call)
  const pieces = listOf(partialArgs).flatMap(digestPiece)
  if (name === undefined && args === undefined) {
    const ends: DigestItem[] = willContinue === true ? [] : [{ kind: 'mark', text: 'call ends' }]
    return [...pieces, ...ends]
  }
  const whole = pieces.length === 0 && willContinue !== true
  const start: DigestItem = {
    kind: 'call',
    name: textOf(name),
    id: textOf(id),
    args: args ?? (whole ? {} : undefined),
  }
  return [start, ...pieces]
}

function digestPiece(piece: JsonValue): readonly DigestItem[] {
  const { jsonPath, willContinue: _, ...values } = shallow(piece)
  return Object.entries(values).map(([key, value]) => ({
    kind: 'arguments',
    path: textOf(jsonPath),
    text: key === 'nullValue' ? 'null' : typeof value === 'string' ? value : JSON.stringify(value),
  }))
}

/** The answer of a tool. */
export function digestResult(response: JsonValue): DigestItem {
  const { id, name, response: value } = shallow(response)
  return { kind: 'result', id: textOf(id), name: textOf(name), value: value ?? {} }
}

/** A blob, `{ mimeType, data }`. */
export function digestMedia(blob: JsonValue, weigh: Weigh): DigestBody {
  const { mimeType, mime_type: snake, data } = { ...shallow(blob), ...(isJsonObject(blob) ? blob : {}) }
  const mime = textOf(mimeType) ?? textOf(snake) ?? ''
  const bytes = typeof data === 'string' ? weigh(data) : 0
  return { kind: 'media', mimeType: mime, bytes, ms: soundLength(mime, bytes) }
}

/** 16-bit mono PCM, as the Live API has it in and out; without a rate it is that of its input, 16 kHz. */
function soundLength(mimeType: string, bytes: number): number | undefined {
  if (!/^audio\/(?:pcm|l16)\b/i.test(mimeType)) return undefined
  const rate = Number(/;\s*rate=(\d+)/i.exec(mimeType)?.[1] ?? 16_000) || 16_000
  return (bytes / 2 / rate) * 1000
}

/** The counts of tokens. */
export function digestUsage(usage: JsonValue): DigestItem {
  const of = shallow(usage)
  const counts = [
    counted(of, ['promptTokenCount', 'total_input_tokens', 'totalInputTokens'], 'in'),
    counted(
      of,
      ['candidatesTokenCount', 'responseTokenCount', 'total_output_tokens', 'totalOutputTokens'],
      'out',
    ),
    counted(of, ['thoughtsTokenCount', 'total_thought_tokens', 'totalThoughtTokens'], 'thinking'),
    counted(of, ['totalTokenCount', 'total_tokens', 'totalTokens'], 'in all'),
  ]
  return { kind: 'usage', text: counts.filter(count => count !== '').join(', '), value: usage }
}

function counted(usage: JsonObject, keys: readonly string[], what: string): string {
  const count = keys.map(key => usage[key]).find(value => typeof value === 'number')
  return count === undefined || count === 0 ? '' : `${count} ${what}`
}

/** An error of the service, `{ code, message, status }`. */
export function digestError(error: JsonValue): DigestItem {
  const { code, message, status } = shallow(error)
  const words = [code, status].filter(word => typeof word === 'string' || typeof word === 'number').join(' ')
  const text = textOf(message) ?? (words === '' ? JSON.stringify(error) : '')
  return { kind: 'error', text: [words, text].filter(word => word !== '').join(': ') }
}

/** Names of declared functions and of the tools that the service has itself. */
export function digestTools(tools: JsonValue | undefined): readonly DigestItem[] {
  const names = listOf(tools).flatMap(tool => {
    const { functionDeclarations, type, name, ...others } = shallow(tool)
    if (typeof type === 'string') return [textOf(name) ?? type]
    const declared = listOf(functionDeclarations).map(item => textOf(shallow(item)['name']) ?? '?')
    return [...declared, ...Object.keys(others)]
  })
  return names.length === 0 ? [] : [{ kind: 'setting', name: 'tools', text: names.join(', ') }]
}

/** Items that repeat what was said before. */
export function earlier(items: readonly DigestItem[]): readonly DigestItem[] {
  return items.map(item => ({ ...item, earlier: true }))
}

/** What is set, if it is. */
export function setting(name: string, value: JsonValue | undefined): readonly DigestItem[] {
  if (value === undefined) return []
  return [{ kind: 'setting', name, text: typeof value === 'string' ? value : JSON.stringify(value) }]
}

/** The text of a content, for a setting. */
export function plainText(content: JsonValue | undefined, weigh: Weigh): string | undefined {
  if (content === undefined) return undefined
  const texts = digestContent(content, weigh).map(item => (item.kind === 'text' ? item.text : ''))
  return texts.join('')
}

/** A list; one thing alone is a list of one, nothing an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
}

/** A string that says something. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
