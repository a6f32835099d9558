/**
 * The Live API: sockets that carry JSON messages both ways, for Gemini, ephemeral tokens, music and Vertex.
 *
 * Routes, spelling and default frames; what single messages mean is in `live-client.ts` and `live-server.ts`.
 *
 * Room: dialect.
 */
import { explainAnything } from './cause-fields.ts'
import { explainLive } from './cause-live.ts'
import type { Dialect } from './dialect.ts'
import { foldText } from './fold.ts'
import { readClient } from './live-client.ts'
import { foldMessage } from './live-fold.ts'
import type { SocketDialect } from './live-messages.ts'
import { readServer } from './live-server.ts'
import { spellCompact, spellPretty } from './spelling.ts'
import { isJsonObject } from '../wire/json.ts'

/** Any version, behind any prefix. Source: js-genai `live.ts` 157-186, python-genai `live.py` 981-1038. */
const ROUTE =
  /\/ws\/google\.(?:ai\.generativelanguage|cloud\.aiplatform)\.v[^./]*\.((?:GenerativeService\.BidiGenerate(?:Content(?:Constrained)?|Music))|LlmBidiService\/BidiGenerateContent)\/?$/

/** Query parameters that carry credentials: they are no part of what is asked for. */
const CREDENTIALS: ReadonlySet<string> = new Set(['key', 'access_token'])

/** The same service by its name on Vertex, and by its name elsewhere: where something is asked is no part of it. */
const VERTEX_NAME = 'LlmBidiService/BidiGenerateContent'
const PLAIN_NAME = 'GenerativeService.BidiGenerateContent'

/** The Live dialect. Its spellings and frames are frozen with the format. */
export const live: SocketDialect = {
  name: 'live',
  // The SDKs send text frames, the service answers with binary ones (js-genai's recorded logs, opcode 2).
  frames: { client: 'text', server: 'binary' },
  owns: path => isBare(path) || ROUTE.test(normalized(path)),
  operation: operationOf,
  // 48 of 48 recorded server messages are spelled so; the JS SDK stringifies, the others' spelling is not kept.
  spell: (side, value, numbers) =>
    side === 'server' ? spellPretty(value, numbers) : spellCompact(value, numbers),
  resumesAt: ['setup', 'sessionResumption', 'handle'],
  readClient,
  refold: message => (isJsonObject(message) ? foldMessage(message) : message),
  readServer,
  explain: explainLive,
  greeting: spellPretty({ setupComplete: {} }),
}

/**
 * The HTTP side of Live: what a service answers instead of opening a socket, spelled as it spells any refusal.
 *
 * It owns no route: whether a request is a socket's, its address says (`wss:`).
 */
export const liveHandshake: Dialect = {
  name: live.name,
  eol: 'crlf',
  owns: () => false,
  spell: spellPretty,
  spellEvent: spellCompact,
  isEndMark: () => false,
  fold: foldText,
  explain: explainAnything,
  socket: live,
}

function operationOf(url: string): string {
  const [address = '', query = ''] = url.replace(/#.*$/, '').split(/\?(.*)/s)
  const path = normalized(address.replace(/^[a-z]+:\/\/[^/]*/i, ''))
  const rest = query
    .split('&')
    .filter(pair => pair !== '' && !CREDENTIALS.has(pair.split('=', 1)[0] ?? ''))
    .toSorted()
    .join('&')
  // A custom Vertex base URL is the whole address of the socket: then the path is all there is to go by.
  const route = ROUTE.exec(path)?.[1] ?? path
  const name = route === VERTEX_NAME || isBare(route) ? PLAIN_NAME : route
  return rest === '' ? name : `${name}?${rest}`
}

/** No path at all: so Go and Python open their socket where the base URL is all that they have (go-genai `live.go`). */
function isBare(path: string): boolean {
  return path === '' || path === '/'
}

/** JS and Python join a base URL that ends in a slash with `/ws/…`; some clients encode the inner slash. */
function normalized(path: string): string {
  return path.replaceAll(/%2f/gi, '/').replaceAll(/\/{2,}/g, '/')
}
