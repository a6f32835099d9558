/** What runs in the page of `http-browser.test.ts`: the SDK's build for browsers, and the same app as everywhere. */
import * as sdk from '@google/genai/web'
import { SCENARIOS, type BaseUrls, type Sdk } from './transcripts.ts'

/** Calls in this way, and returns all that the page could see of it. */
export async function run(name: string, at: BaseUrls): Promise<unknown> {
  // The two builds have a class each, of the same shape.
  return SCENARIOS[name]?.(sdk as unknown as Sdk, at)
}

/** Asks for an answer, and says how it went: its text, or the error that the app gets. */
export async function ask(baseUrl: string, contents: string): Promise<string> {
  const ai = new sdk.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } })
  try {
    return (await ai.models.generateContent({ model: 'gemini-2.5-flash', contents })).text ?? ''
  } catch (error) {
    return String(error)
  }
}

/** Uploads a file in two requests, the second to the address that the answer to the first names; says what it is called. */
export async function upload(baseUrl: string, text: string): Promise<string | undefined> {
  const ai = new sdk.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } })
  const { name } = await ai.files.upload({ file: new Blob([text], { type: 'application/json' }) })
  return name
}

/** Asks as a page of the simple old web can, without a question of its browser before; says what it may read. */
export async function post(address: string): Promise<string> {
  try {
    return await (await fetch(address, { method: 'POST', body: '{}' })).text()
  } catch (error) {
    return String(error)
  }
}
