/**
 * Which hosts a client of the service talks to, and what each of them is.
 *
 * Room: dialect.
 */
import { SERVICE_ORIGIN } from './vertex.ts'

/**
 * What a host is: the service itself, or another of its owner's APIs; one that gives out credentials; anybody else.
 */
export type HostKind = 'service' | 'token' | 'foreign'

/**
 * Hosts that turn one credential into another, and see nothing else: google-auth (Python `google/oauth2`,
 * `google/auth/external_account.py`, `google/auth/iam.py`), with or without client certificates (`.mtls`).
 */
const TOKEN_HOST = /^(?:oauth2|sts|iamcredentials)(?:\.mtls)?\.googleapis\.com$/

/** Every one of the service's hosts, one label or more before the domain. */
const SERVICE_HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+googleapis\.com$/

/** Python `google/genai/_api_client.py`: `LOCATION-aiplatform`, `aiplatform`, `aiplatform.LOCATION.rep`. */
const VERTEX_HOST = /^(?:[a-z0-9-]+-)?aiplatform(?:\.[a-z0-9-]+)*\.googleapis\.com$/

/** What the host with this name is; upper and lower case are the same. */
export function hostKind(host: string): HostKind {
  const name = host.toLowerCase()
  if (TOKEN_HOST.test(name)) return 'token'
  return SERVICE_HOST.test(name) ? 'service' : 'foreign'
}

/** Hosts where models answer, under any of their names: `generativelanguage.mtls`, `us-central1-aiplatform`, Code Assist. */
const MODEL_HOST = /(?:^|[.-])(?:generativelanguage|aiplatform|cloudcode-pa)[.-]/

/** True for a host of the service that models answer at; false for its owner's other APIs, such as storage. */
export function servesModels(host: string): boolean {
  return MODEL_HOST.test(host.toLowerCase())
}

/** The two sides of the service: the API that takes a key, and that of the cloud. */
export type ServiceSide = 'developer' | 'vertex'

/** Which side a host belongs to; undefined for its owner's other APIs. */
export function sideOf(host: string): ServiceSide | undefined {
  const name = host.toLowerCase()
  if (VERTEX_HOST.test(name)) return 'vertex'
  return name === new URL(SERVICE_ORIGIN).hostname ? 'developer' : undefined
}
