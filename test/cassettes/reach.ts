/** How the apps of the shipped cassettes reach the service: nothing else of them depends on it. */
import { GoogleGenAI, type GoogleGenAIOptions, type HttpOptions } from '@google/genai'

/** A base URL, or what an app gives the SDK besides and instead of one. */
export type Reach =
  | string
  | {
      readonly httpOptions: HttpOptions
      /** Called with each client that is made. */
      readonly plug?: ((ai: GoogleGenAI) => void) | undefined
      /** The SDK of another version. */
      readonly sdk?: { readonly GoogleGenAI: typeof GoogleGenAI } | undefined
    }

const KEY = 'a-key-of-no-account'

/** A client of the official SDK. */
export function clientAt(
  reach: Reach,
  options: GoogleGenAIOptions = {},
  httpOptions: HttpOptions = {},
): GoogleGenAI {
  const by = typeof reach === 'string' ? { httpOptions: { baseUrl: reach } } : reach
  const { GoogleGenAI: Client } = 'sdk' in by && by.sdk !== undefined ? by.sdk : { GoogleGenAI }
  const ai = new Client({ ...options, apiKey: KEY, httpOptions: { ...httpOptions, ...by.httpOptions } })
  if ('plug' in by) by.plug?.(ai)
  return ai
}
