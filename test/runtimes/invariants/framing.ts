/** In what a stream is odd: its chunk edges and its line ends, as far as the specification allows them. */
import { concatBytes } from '../../../src/wire/text.ts'

/** What a client has to bear, in words; empty where a stream is as the service usually sends it. */
export interface Framing {
  /** Line ends, comments, fields. */
  readonly odd: readonly string[]
  /** Where its chunks begin and end. */
  readonly chunks: readonly string[]
}

/** The framing of a stream. */
export function framingOf(chunks: readonly Uint8Array[], api: 'generate-content' | 'interactions'): Framing {
  const text = new TextDecoder().decode(concatBytes(chunks))
  return { odd: oddities(text, api), chunks: edges(chunks) }
}

function oddities(text: string, api: 'generate-content' | 'interactions'): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  const usual = api === 'interactions' ? /^(?:data: |event: |$)/ : /^(?:data: |$)/
  const several = /(?:^|[\r\n])data:[^\r\n]*(?:\r\n|\r|\n)data:/
  const found: readonly (readonly [boolean, string])[] = [
    [/\r(?!\n)/.test(text), 'lines that end in CR'],
    [/\r\n/.test(text) && /(?<!\r)\n/.test(text), 'line ends of both kinds'],
    [text.startsWith('\uFEFF'), 'a byte order mark'],
    [lines.some(line => line.startsWith(':')), 'comments'],
    [lines.some(line => /^data:\S/.test(line)), '`data:` without a blank'],
    [several.test(text), 'data in several lines'],
    [api === 'generate-content' && /^data: ?\[DONE\]/m.test(text), '`[DONE]`'],
    [text !== '' && !/(?:\r\n\r\n|\n\n|\r\r)$/.test(text), 'no blank line at the end'],
    [lines.some(line => !usual.test(line) && !/^(?::|data:)/.test(line)), 'other lines than data'],
  ]
  return found.flatMap(([is, what]) => (is ? [what] : []))
}

function edges(chunks: readonly Uint8Array[]): readonly string[] {
  const found = new Set<string>()
  for (const chunk of chunks.slice(0, -1)) {
    const end = String.fromCharCode(...chunk.subarray(-4))
    const last = chunk.at(-1) ?? 0
    if (last >= 0x80) found.add('chunks that end inside a character')
    else if (end.endsWith('\r') && !end.endsWith('\r\r')) found.add('chunks that end inside a line end')
    else if (!/(?:\r\n\r\n|\n\n|\r\r)$/.test(end)) found.add('chunks that end inside an event')
  }
  for (const chunk of chunks) {
    const events = new TextDecoder().decode(chunk).match(/(?:\r\n\r\n|\n\n|\r\r)(?=[^])/g) ?? []
    if (events.length > 0) found.add('chunks with several events')
  }
  return [...found]
}
