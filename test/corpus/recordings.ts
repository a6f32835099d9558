/**
 * Reads the folders of real traffic that other projects recorded, in their own shapes, as exchanges.
 *
 * The folder is named by `WIRETAPE_CORPUS`; nothing of it is kept here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** One request and the answer to it, as recorded. */
export interface CorpusExchange {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly requestBody: Uint8Array
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** What one file holds. */
export interface CorpusFile {
  readonly name: string
  readonly exchanges: readonly CorpusExchange[]
}

/** The corpus folder; undefined where there is none. */
export const CORPUS: string | undefined = process.env['WIRETAPE_CORPUS']

/** `js-genai/http`: raw HTTP logs, bodies byte for byte. */
export function httpLogs(corpus: string): CorpusFile[] {
  const folder = join(corpus, 'js-genai/http')
  return readdirSync(folder)
    .filter(name => name.endsWith('.http.log'))
    .map(name => ({ name, exchanges: readHttpLog(readFileSync(join(folder, name))) }))
}

/** `firebase`: bodies of refusals, broken streams and answers, without status or content type. */
export function firebaseBodies(corpus: string): CorpusFile[] {
  return ['googleai', 'vertexai'].flatMap(side =>
    readdirSync(join(corpus, 'firebase', side)).map(name => {
      const body = readFileSync(join(corpus, 'firebase', side, name))
      const streamed = name.startsWith('streaming')
      return { name: `${side}/${name}`, exchanges: [bodyExchange(side, name, body, streamed)] }
    }),
  )
}

/** `vercel`: streams and bodies of one API, put back into the spelling that the API uses on the wire. */
export function vercelBodies(corpus: string, api: 'generate-content' | 'interactions'): CorpusFile[] {
  const folder = join(corpus, 'vercel', api)
  return readdirSync(folder).map(name => {
    const text = readFileSync(join(folder, name), 'utf8')
    const streamed = name.endsWith('.chunks.txt')
    const spell = api === 'interactions' ? compact : spaced
    const unary = (value: unknown): string =>
      api === 'interactions' ? JSON.stringify(value) : `${JSON.stringify(value, null, 2)}\n`
    const body = streamed ? stream(text, api, spell) : unary(JSON.parse(text))
    const path =
      api === 'interactions'
        ? '/v1beta/interactions'
        : `/v1beta/models/m:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
    return {
      name,
      exchanges: [
        {
          method: 'POST',
          path,
          requestBody: Buffer.from(JSON.stringify({ model: 'm', input: name, stream: streamed })),
          status: name.includes('429') ? 429 : 200,
          headers: [['Content-Type', streamed ? 'text/event-stream' : 'application/json; charset=UTF-8']],
          body: Buffer.from(body),
        },
      ],
    }
  })
}

function stream(text: string, api: string, spell: (value: unknown) => string): string {
  const lines = text.split('\n').filter(line => line !== '')
  if (api !== 'interactions') return lines.map(line => `data: ${spell(JSON.parse(line))}\r\n\r\n`).join('')
  const events = lines.map(line => {
    const value = JSON.parse(line) as { event_type: string }
    return `event: ${value.event_type}\ndata: ${spell(value)}\n\n`
  })
  return `${events.join('')}event: done\ndata: [DONE]\n\n`
}

function compact(value: unknown): string {
  return JSON.stringify(value)
}

/** The API's one-line spelling: a blank after each colon, none after a comma. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`)
    .join(',')}}`
}

function bodyExchange(side: string, name: string, body: Uint8Array, streamed: boolean): CorpusExchange {
  const prefix =
    side === 'vertexai' ? '/v1beta1/projects/p/locations/us-central1/publishers/google' : '/v1beta'
  const type = name.endsWith('.html')
    ? 'text/html; charset=UTF-8'
    : streamed
      ? 'text/event-stream'
      : 'application/json; charset=UTF-8'
  return {
    method: 'POST',
    path: `${prefix}/models/m:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    requestBody: Buffer.from(JSON.stringify({ contents: [{ parts: [{ text: basename(name) }] }] })),
    status: 200,
    headers: [['Content-Type', type]],
    body,
  }
}

/** See the corpus's own README for the shape of these logs. */
function readHttpLog(bytes: Buffer): CorpusExchange[] {
  const exchanges: CorpusExchange[] = []
  let request: Pick<CorpusExchange, 'method' | 'path' | 'requestBody'> | undefined
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === 0x0a) {
      at += 1
      continue
    }
    const lineEnd = bytes.indexOf('\n', at)
    const [, kind, length] =
      /^[0-9a-f]{64}\.(req|resp) (\d+)$/.exec(bytes.toString('latin1', at, lineEnd)) ?? []
    if (kind === undefined) throw new Error(`no record at byte ${at}`)
    const record = bytes.subarray(lineEnd + 1, lineEnd + 1 + Number(length))
    at = lineEnd + 1 + Number(length)
    if (kind === 'req') request = readRequest(record)
    else if (request !== undefined) exchanges.push({ ...request, ...readResponse(record) })
  }
  return exchanges
}

function readRequest(record: Buffer): Pick<CorpusExchange, 'method' | 'path' | 'requestBody'> {
  const start = record.indexOf(`${'*'.repeat(80)}\n`) + 81
  const headEnd = record.indexOf('\n\n', start)
  const [method = '', path = ''] = record.toString('latin1', start, record.indexOf('\n', start)).split(' ')
  const body = record.subarray(headEnd + 2)
  return { method, path, requestBody: body[0] === 0x0a ? body.subarray(1) : body }
}

function readResponse(record: Buffer): Pick<CorpusExchange, 'status' | 'headers' | 'body'> {
  const headEnd = record.indexOf('\n\n')
  const [status = '', ...fields] = record.toString('latin1', 0, headEnd).split('\n')
  return {
    status: Number(/\d+/.exec(status)?.[0]),
    headers: fields
      .map(field => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()] as const)
      .filter(([name]) => !/^(content-encoding|transfer-encoding|content-length)$/i.test(name)),
    body: record.subarray(headEnd + 2),
  }
}
