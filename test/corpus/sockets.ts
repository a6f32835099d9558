/** Reads the folders of real sockets that other projects recorded, in their own shapes, as messages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WireMessage } from '../../src/wire/exchange.ts'

/** One recorded connection. Times and closes are not in the sources. */
export interface CorpusSocket {
  readonly name: string
  readonly messages: readonly WireMessage[]
}

/** `js-genai/live`: messages of both sides, byte for byte; the service's came in binary frames. */
export function liveLogs(corpus: string): readonly CorpusSocket[] {
  const folder = join(corpus, 'js-genai/live')
  return readdirSync(folder).map(name => ({ name, messages: readLog(readFileSync(join(folder, name))) }))
}

/** `vercel/live`: what the service said, one line for each message, put back into its spelling on the wire. */
export function vercelLive(corpus: string): readonly CorpusSocket[] {
  const folder = join(corpus, 'vercel/live')
  return readdirSync(folder).map(name => ({
    name,
    messages: readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map((line, index) => {
        const bytes = Buffer.from(`${JSON.stringify(JSON.parse(line), undefined, 2)}\n`)
        return { at: index, from: 'server', frame: 'binary', bytes } as const
      }),
  }))
}

/** Records `>LENGTH PAYLOAD` and `<LENGTH PAYLOAD`; the length counts a line feed that the log adds. */
function readLog(bytes: Buffer): readonly WireMessage[] {
  const messages: WireMessage[] = []
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(' ', at)
    const [, side, length] = /^([<>])(\d+)$/.exec(bytes.toString('latin1', at, blank)) ?? []
    if (side === undefined) throw new Error(`no record at byte ${at}`)
    const end = blank + 1 + Number(length)
    messages.push({
      at: messages.length,
      from: side === '>' ? 'client' : 'server',
      frame: side === '>' ? 'text' : 'binary',
      bytes: bytes.subarray(blank + 1, end - 1),
    })
    at = end
  }
  return messages
}
