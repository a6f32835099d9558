/**
 * Every place in which a credential of Gemini, Vertex or Google sign-in travels.
 *
 * From the sources of the SDKs: js-genai `_node_auth.ts`, `live.ts`, `tokens.ts`, python-genai
 * `_api_client.py`, `live.py`, go-genai `api_client.go`, `live.go`. What may never be altered has no rule
 * here: thought signatures, call ids, continuation tokens, media.
 *
 * Room: dialect.
 */
import type { SecretField, SecretKind, SecretRules, SecretShape } from '../redact/rules.ts'

/** Header fields of requests that hold a credential or name a project. A cassette keeps none of them. */
export const SECRET_HEADERS: ReadonlyMap<string, SecretKind> = new Map([
  ['api-key', 'api-key'],
  ['authorization', 'token'],
  ['cookie', 'cookie'],
  ['proxy-authorization', 'token'],
  ['x-api-key', 'api-key'],
  ['x-goog-api-key', 'api-key'],
  ['x-goog-iam-authority-selector', 'token'],
  ['x-goog-iam-authorization-token', 'token'],
  ['x-goog-user-project', 'project'],
])

/** Those of responses. */
const RESPONSE_HEADERS: readonly (readonly [string, SecretKind])[] = [
  ['set-cookie', 'cookie'],
  ['x-guploader-uploadid', 'upload-id'],
]

const QUERY: ReadonlyMap<string, SecretKind> = new Map([
  ['access_token', 'token'],
  ['api_key', 'api-key'],
  ['id_token', 'token'],
  ['key', 'api-key'],
  ['oauth_token', 'token'],
  ['upload_id', 'upload-id'],
  ['x-goog-credential', 'signed-url'],
  ['x-goog-signature', 'signed-url'],
])

const isWord = (character: string): boolean => /[\w-]/.test(character)
const isWordOrDot = (character: string): boolean => /[\w.-]/.test(character)
const isDigit = (character: string): boolean => /\d/.test(character)
/** A PEM body, raw or as JSON spells it. */
const isPem = (character: string): boolean => /[A-Za-z0-9+/=\\\r\n]/.test(character)
/** A project id, also one of a domain (`example.com:name`). */
const isProject = (character: string): boolean => /[a-zA-Z0-9:.-]/.test(character)

/** Keys look random; a word of a text that only begins like one does not. */
const looksRandom = (secret: string): boolean => [/[a-z]/, /[A-Z]/, /\d/].every(set => set.test(secret))

/** Never written, in plain text or in base64. Longest real ones: key 39 characters, token 2,048. */
const KEYS: readonly SecretShape[] = [
  { kind: 'api-key', prefix: 'AIza', body: isWord, min: 30, max: 64 },
  { kind: 'api-key', prefix: 'AQ.', body: isWord, min: 20, max: 512, accept: looksRandom },
  { kind: 'token', prefix: 'ya29.', body: isWordOrDot, min: 20, max: 4096 },
  { kind: 'refresh-token', prefix: '1//0', body: isWord, min: 30, max: 1024 },
  { kind: 'client-secret', prefix: 'GOCSPX-', body: isWord, min: 20, max: 128 },
  ...['', 'RSA ', 'EC ', 'ENCRYPTED ', 'OPENSSH '].map((algorithm): SecretShape => ({
    kind: 'private-key',
    prefix: `-----BEGIN ${algorithm}PRIVATE KEY-----`,
    body: isPem,
    min: 16,
    max: 65_536,
    edge: () => false,
    keeps: 'prefix',
  })),
]

/** Names of ephemeral tokens. Programs tell one by its prefix (js-genai `live.ts`), so that stays. */
const EPHEMERAL: SecretShape = {
  kind: 'auth-token',
  prefix: 'auth_tokens/',
  body: isWordOrDot,
  min: 6,
  max: 1024,
  edge: isWord,
  keeps: 'prefix',
}

/** A service-account file, from the first of its secrets on, in both spacings. Only looked for in base64. */
const KEY_FILES: readonly SecretShape[] = ['": "', '":"'].map(separator => ({
  kind: 'private-key',
  prefix: `"private_key_id${separator}`,
  body: isWord,
  min: 16,
  max: 64,
}))

/** A JSON Web Token: two dots tell it from other base64 of JSON, such as a continuation token. */
const JWT: SecretShape = {
  kind: 'token',
  prefix: 'eyJ',
  body: isWordOrDot,
  min: 16,
  max: 16_384,
  accept: secret => /^[\w-]{10,}\.[\w-]{8,}\.[\w-]*$/.test(secret),
}

const SIGNED_URL: SecretShape = {
  kind: 'signed-url',
  prefix: 'X-Goog-Signature=',
  body: isWord,
  min: 32,
  max: 2048,
  edge: isWord,
  keeps: 'prefix',
}

function project(prefix: string, more: Partial<SecretShape>): SecretShape {
  return {
    kind: 'project',
    prefix,
    body: isProject,
    min: 1,
    max: 100,
    edge: isWord,
    keeps: 'prefix',
    ...more,
  }
}

/** Projects as resource names and error messages have them: by id before a location, by number anywhere. */
const PROJECTS: readonly SecretShape[] = [
  project('projects/', { after: '/locations/' }),
  project('projects/', { after: '/secrets/' }),
  ...['projects/', 'project ', 'project_number:', 'project='].map(prefix =>
    project(prefix, { body: isDigit, min: 6, max: 20 }),
  ),
]

const isServiceAccount = (value: string): boolean => value.endsWith('.gserviceaccount.com')
/** Resumption handles are long; `handle` is also a word that tools use. */
const isHandle = (value: string): boolean => /^[\w+/=.~:-]{24,}$/.test(value)

/** Service-account files, OAuth answers, session resumption, credentials that a request hands to a tool. */
const FIELDS: readonly SecretField[] = [
  { kind: 'private-key', key: 'private_key' },
  { kind: 'private-key-id', key: 'private_key_id' },
  { kind: 'service-account', key: 'client_email', accept: isServiceAccount },
  { kind: 'client-secret', key: 'client_secret' },
  { kind: 'refresh-token', key: 'refresh_token' },
  { kind: 'token', key: 'access_token' },
  { kind: 'token', key: 'id_token' },
  { kind: 'session-handle', key: 'newHandle', accept: isHandle },
  { kind: 'session-handle', key: 'new_handle', accept: isHandle },
  { kind: 'session-handle', key: 'handle', accept: isHandle },
  { kind: 'token', key: 'Authorization' },
  { kind: 'token', key: 'authorization' },
  { kind: 'api-key', key: 'x-goog-api-key' },
  { kind: 'api-key', key: 'X-Goog-Api-Key' },
  { kind: 'api-key', key: 'apiKeyString' },
  { kind: 'api-key', key: 'api_key_string' },
  { kind: 'signing-secret', key: 'new_signing_secret' },
]

/** What is taken out of every recording. */
export const SECRET_RULES: SecretRules = {
  headers: new Map([...SECRET_HEADERS, ...RESPONSE_HEADERS]),
  query: QUERY,
  paths: new Map([['projects', 'project']]),
  shapes: [...KEYS, EPHEMERAL, JWT, SIGNED_URL, ...PROJECTS],
  fields: FIELDS,
  // Inside base64 there are no edges to tell a word from a key, and what is found stops the recording.
  refused: [
    ...KEYS.map(shape => (shape.prefix === 'AQ.' ? { ...shape, min: 32 } : shape)),
    { ...EPHEMERAL, min: 16, accept: looksRandom },
    ...KEY_FILES,
  ],
}

/** The keys alone, in plain text: for a last look at what is about to be written. */
export const KEY_RULES: SecretRules = {
  headers: new Map(),
  query: new Map(),
  paths: new Map(),
  shapes: KEYS,
  fields: [],
  refused: [],
}
