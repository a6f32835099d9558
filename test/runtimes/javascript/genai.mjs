/**
 * The official SDK of JavaScript, @google/genai, as an app uses it: chats, the Interactions API, the Live API.
 *
 * Usage: node --experimental-import-meta-resolve genai.mjs genai-js@VERSION SCENARIO.json
 */
import { actGenai } from './genai-app.mjs'
import { imported, installed, main } from './program.mjs'

const { GoogleGenAI } = await imported('@google/genai')

await main(scenario =>
  actGenai({
    // All else, the base URL and the key too, is in the environment.
    ai: new GoogleGenAI(scenario.backend === 'vertex' ? { vertexai: true } : {}),
    scenario,
    runtime: installed('@google/genai'),
  }),
)
