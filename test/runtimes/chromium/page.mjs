/** What runs in the page: the SDK's build for browsers, and the same app as in Node. */
import { GoogleGenAI } from '@google/genai/web'
import { actGenai } from '../javascript/genai-app.mjs'
import { raiseStray } from '../javascript/patience.mjs'

globalThis.addEventListener('unhandledrejection', event => {
  event.preventDefault()
  raiseStray(event.reason)
})

/** Acts the scenario. Returns the transcript. A page has no environment: it is told the base URL and the key. */
export function act({ scenario, baseUrl, apiKey, runtime }) {
  const ai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } })
  return actGenai({ ai, scenario, runtime })
}
