/**
 * Reads a stream of server-sent events as a patient client does.
 *
 * After the WHATWG specification: any of the three line ends, comments, `data:` with or without a blank, several
 * `data:` lines. More patient in one thing: what comes after the last blank line is an event too, since a stream
 * that lost its last blank line has still said it.
 */
import { parseStructure, type JsonValue } from '../../../src/wire/json.ts'

/** What one event says: JSON, or text that is none. */
export type Payload =
  | { readonly type: 'json'; readonly value: JsonValue }
  | { readonly type: 'text'; readonly text: string }

/** The payloads of a stream, in order. Events without data are left out, and `[DONE]` too. */
export function readStream(text: string): readonly Payload[] {
  const payloads: Payload[] = []
  let data: string[] = []
  let bare: string[] = []
  const flush = (): void => {
    if (data.length > 0) payloads.push(...payloadsOf(data.join('\n')))
    if (bare.length > 0) payloads.push(...payloadsOf(bare.join('\n')))
    data = []
    bare = []
  }
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const field = /^(data|event|id|retry)(?::(?: )?([^]*))?$/.exec(line)
    if (line === '') flush()
    else if (field?.[1] === 'data') data.push(field[2] ?? '')
    // JSON without `data:`, as a service says an error that it did not foresee.
    else if (field === null && !line.startsWith(':')) bare.push(line)
  }
  flush()
  return payloads
}

function payloadsOf(text: string): readonly Payload[] {
  if (text.trim() === '[DONE]' || text.trim() === '') return []
  return [payloadOf(text)]
}

/** A payload by its text. */
export function payloadOf(text: string): Payload {
  const value = parseStructure(text)
  return value === undefined ? { type: 'text', text } : { type: 'json', value }
}
