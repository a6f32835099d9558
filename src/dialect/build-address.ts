/**
 * Where a request that is written by hand goes: from a model's name or a route to an address at the service.
 *
 * Room: dialect.
 */
import { wrongUse } from './build-items.ts'
import type { RequestLine } from './dialect.ts'
import { operationOf } from './operation.ts'

/** Where the Developer API is, with the version that its SDKs ask for (js-genai `_api_client.ts`). */
export const DEFAULT_BASE = 'https://generativelanguage.googleapis.com/v1beta'

/** Whether an answer comes at once or in a stream. */
export type Manner = 'whole' | 'streamed'

const MODEL = /^(?:publishers\/google\/)?(?:models|tunedModels|endpoints)\/[^/:]+$/

/**
 * The request line of an address.
 *
 * @param base - Scheme, host, version, and on Vertex AI the project and location.
 * @param address - A model's name, a route such as `models/m:countTokens` or `GET files/f`, or a whole URL.
 * @param manner - Chooses the method of a model that is named without one.
 * @throws `WIRETAPE_USAGE` for what is none of these.
 */
export function requestLineOf(base: string, address: string, manner: Manner): RequestLine {
  const [, method = 'POST', place = ''] = /^(?:([A-Z]+) )?(\S+)$/.exec(address) ?? []
  if (place === '') {
    throw wrongUse(
      `\`${address}\` is no address.`,
      "Name a model, 'gemini-2.5-flash', a route, 'models/gemini-2.5-flash:countTokens' or 'GET files/a', or a whole URL.",
    )
  }
  if (/^[a-z]+:\/\//i.test(place)) return { method, url: place }
  const root = base.replace(/\/+$/, '')
  const route = routeOf(root, method, place.replace(/^\/+/, ''))
  const asked = method === 'POST' && MODEL.test(route) ? `${route}:${METHODS[manner]}` : route
  const query = asked.endsWith(':streamGenerateContent') ? '?alt=sse' : ''
  return { method, url: `${root}/${asked}${query}` }
}

const METHODS: Readonly<Record<Manner, string>> = {
  whole: 'generateContent',
  streamed: 'streamGenerateContent',
}

function routeOf(root: string, method: string, place: string): string {
  const named = /^[^/:?]+$/.test(place)
  const isResource = operationOf({ method, url: `${root}/${place}` }).dialect.name !== 'unknown'
  const route = named && !isResource ? `models/${place}` : place
  return isVertex(root) && route.startsWith('models/') ? `publishers/google/${route}` : route
}

/** True for an address of Vertex AI. */
export function isVertex(url: string): boolean {
  return /^\w+:\/\/[^/]*aiplatform\.googleapis\.com/i.test(url) || /\/projects\/[^/]+\/locations\//.test(url)
}

/** The model that an address asks, without its path; undefined where it asks none. */
export function modelIn(url: string): string | undefined {
  return /\/(?:models|tunedModels|endpoints)\/([^/:?]+)/.exec(url)?.[1]
}

/** True if an answer to this address is a stream whatever comes. */
export function isStreamed(url: string): boolean {
  return /[?&]alt=sse(?:&|$)/.test(url)
}

/** The address of Live's socket beside a base (js-genai `live.ts` 157-186). */
export function liveUrlOf(base: string): string {
  const [, host = '', version = ''] = /^\w+:\/\/([^/]+)\/([^/]+)/.exec(base) ?? []
  const route = isVertex(base)
    ? `google.cloud.aiplatform.${version}.LlmBidiService/BidiGenerateContent`
    : `google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  return `wss://${host}/ws/${route}`
}

/** A model as a setup names it. */
export function liveModelOf(base: string, name: string): string {
  if (name.includes('/')) return name
  const project = /\/(projects\/[^/]+\/locations\/[^/]+)/.exec(base)?.[1]
  return project === undefined ? `models/${name}` : `${project}/publishers/google/models/${name}`
}

/** What a model is asked, from a prompt, a conversation or a whole body; as js-genai sends it. */
export function askedOf(asked: string | readonly object[] | object): object {
  if (typeof asked === 'string') return { contents: [{ parts: [{ text: asked }], role: 'user' }] }
  return Array.isArray(asked) ? { contents: asked as readonly object[] } : asked
}

/** What an interaction is asked, from a model's name or a whole body, and what it is asked. */
export function interactionOf(asks: string | object, input: string | readonly object[] | undefined): object {
  const given = input === undefined ? {} : { input }
  return typeof asks === 'string' ? { model: asks, ...given } : { ...asks, ...given }
}
