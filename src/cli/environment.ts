/**
 * The variables that a user's command runs with, so that its SDK talks to us and to nobody else.
 *
 * Room: cli.
 */

/** Where the server listens. */
export interface Addresses {
  readonly url: string
  readonly vertexUrl: string
}

/** What stands for an API key while replaying: SDKs refuse to start without one. */
export const PLACEHOLDER_KEY = 'replayed-by-wiretape'

/**
 * The variables that SDKs take an API key from: the official ones the first two, Genkit's plugin the third too, the AI
 * SDK of Vercel the fourth. The first is always set while replaying.
 */
const KEY_VARIABLES = [
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
]
const PROXY_VARIABLES = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']

/** True where an SDK would find a key. */
export function hasKey(env: NodeJS.ProcessEnv): boolean {
  return KEY_VARIABLES.some(name => (env[name] ?? '') !== '')
}

/** For `record`: the base URLs. The user's key stays; the service needs it. */
export function recordEnvironment(env: NodeJS.ProcessEnv, addresses: Addresses): NodeJS.ProcessEnv {
  return {
    ...env,
    ...proxyExceptions(env),
    GOOGLE_GEMINI_BASE_URL: addresses.url,
    GOOGLE_VERTEX_BASE_URL: addresses.vertexUrl,
  }
}

/** For `replay`: the base URLs, and a placeholder in place of a key, so that no real one reaches the app. */
export function replayEnvironment(env: NodeJS.ProcessEnv, addresses: Addresses): NodeJS.ProcessEnv {
  const keys = KEY_VARIABLES.filter((name, index) => index === 0 || env[name] !== undefined)
  return {
    ...recordEnvironment(env, addresses),
    ...Object.fromEntries(keys.map(name => [name, PLACEHOLDER_KEY])),
  }
}

/**
 * For `replay FOLDER`: the roots that each test's base URL begins with. The base URLs themselves lead there too,
 * where a request without a cassette's name is told what to do: better than to the service.
 */
export function folderEnvironment(env: NodeJS.ProcessEnv, addresses: Addresses): NodeJS.ProcessEnv {
  return {
    ...replayEnvironment(env, addresses),
    WIRETAPE_URL: addresses.url,
    WIRETAPE_VERTEX_URL: addresses.vertexUrl,
  }
}

/** Without this, an HTTP client that honours a proxy would ask the proxy for our loopback address. */
function proxyExceptions(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (PROXY_VARIABLES.every(name => (env[name] ?? '') === '')) return {}
  const hosts = [env['NO_PROXY'] ?? env['no_proxy'] ?? '', '127.0.0.1', 'localhost'].filter(Boolean).join(',')
  return { NO_PROXY: hosts, no_proxy: hosts }
}
