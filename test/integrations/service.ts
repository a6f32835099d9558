/** A stand-in for the real service, which a test records from, and files to record into. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { answer } from '../contract/service.ts'
import { startScriptedUpstream, type ScriptedUpstream } from '../peers/scripted-upstream.ts'

/** A key of nobody, in the shape of a real one. */
const KEY = 'AIzaSyD-NotARealKey-0000000000000000000'

/** The route that {@link ask} asks. */
export const ROUTE = '/v1beta/models/gemini-2.5-flash:generateContent'

/** Starts a service on both APIs that ends with its test. */
export async function startService(): Promise<ScriptedUpstream> {
  const service = await startScriptedUpstream(answer)
  onTestFinished(() => service.close())
  return service
}

/** A path for a cassette that is not there yet. */
export function newFile(name = 'greeting'): string {
  return join(emptyFolder(), 'cassettes', `${name}.cassette.yaml`)
}

/** The bytes of a file, or that it is not there. */
export function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** What is in a cassette, in order. */
export function kindsIn(file: string): string {
  return parseCassette(readFileSync(file, 'utf8'), { file })
    .documents.map(({ type }) => type)
    .join(' ')
}

/** The body of a request with this text. */
export function bodyOf(text: string): string {
  return JSON.stringify({ contents: [{ parts: [{ text }], role: 'user' }] })
}

/** Asks a model, as any program would. */
export async function ask(base: string, text: string, by: typeof fetch = fetch): Promise<string> {
  const headers = { 'x-goog-api-key': KEY, 'content-type': 'application/json' }
  const response = await by(base + ROUTE, { method: 'POST', headers, body: bodyOf(text) })
  return response.text()
}
