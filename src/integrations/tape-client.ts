/**
 * The options of the official SDK's client that make it talk to a tape, and to nothing else.
 *
 * Read from js-genai 3.3.0 and 2.32.0, `node_client.ts` and `node_auth.ts`: what is set here outranks the variables
 * that the SDK reads (`GOOGLE_GENAI_USE_VERTEXAI`, `GOOGLE_CLOUD_PROJECT`, `GOOGLE_GEMINI_BASE_URL`, …).
 *
 * Room: integrations.
 */
import type { Cassette } from '../cassette/model.ts'
import { PLACEHOLDER_KEY, type Addresses } from '../cli/environment.ts'
import { vertexPlaceOf, type VertexPlace } from '../dialect/vertex.ts'

/** Options for `new GoogleGenAI(…)`. The SDK adds to the object that it is given. */
export interface TapeClient {
  /** True for Vertex AI. */
  vertexai: boolean
  /** A placeholder while replaying; while recording it is left to the environment. */
  apiKey?: string
  /** On Vertex, while replaying: as recorded. */
  project?: string
  /** On Vertex, while replaying: as recorded. */
  location?: string
  /** On Vertex, while replaying: credentials that are none, so that none are looked for. */
  googleAuthOptions?: { apiKey: string; projectId: string }
  /** Where the tape is. */
  httpOptions: { baseUrl: string }
}

/** Which API a client is for. */
export type TapeApi = 'gemini' | 'vertex'

/** Where in Vertex a cassette's exchanges lead; undefined where they, or most of them, are of the other API. */
export function recordedPlace({ documents }: Cassette): VertexPlace | undefined {
  const urls = documents.flatMap(document =>
    document.type === 'exchange' ? [document.exchange.request.url] : [],
  )
  const places = urls.flatMap(url => vertexPlaceOf(url) ?? [])
  if (places.length === 0 || places.length * 2 < urls.length) return undefined
  return places.find(({ project }) => project !== undefined) ?? places[0]
}

/**
 * A client that is replayed to. It finds no credentials and asks nobody for any: to `google-auth-library` (10, `GoogleAuth`)
 * an API key beside a project's name is enough.
 *
 * @param place - Where the recording leads; undefined: nowhere in particular.
 */
export function replayClient(
  api: TapeApi,
  place: VertexPlace | undefined,
  { url, vertexUrl }: Addresses,
): TapeClient {
  if (api === 'gemini') return { vertexai: false, apiKey: PLACEHOLDER_KEY, httpOptions: { baseUrl: url } }
  const httpOptions = { baseUrl: vertexUrl }
  // With a key and without a project: what the SDK calls the express mode.
  if (place !== undefined && place.project === undefined) {
    return { vertexai: true, apiKey: PLACEHOLDER_KEY, httpOptions }
  }
  const { project = 'project', location = 'global' } = place ?? {}
  const googleAuthOptions = { apiKey: PLACEHOLDER_KEY, projectId: project }
  return { vertexai: true, project, location, googleAuthOptions, httpOptions }
}

/** A client that is recorded: its credentials, and on Vertex its project, are those of the environment. */
export function recordClient(api: TapeApi, { url, vertexUrl }: Addresses): TapeClient {
  return api === 'gemini'
    ? { vertexai: false, httpOptions: { baseUrl: url } }
    : { vertexai: true, httpOptions: { baseUrl: vertexUrl } }
}

/**
 * The API that the environment names, as the SDK reads it: the newer variable first, and nothing but `true` counts;
 * undefined where it names none.
 */
export function environmentApi(env: NodeJS.ProcessEnv): TapeApi | undefined {
  const { GOOGLE_GENAI_USE_ENTERPRISE: newer, GOOGLE_GENAI_USE_VERTEXAI: older } = env
  const flag = newer ?? older
  if (flag === undefined) return undefined
  return flag.trim().toLowerCase() === 'true' ? 'vertex' : 'gemini'
}
