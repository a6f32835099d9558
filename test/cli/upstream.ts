/** A service for the command's tests, which answers with what each test says. */
import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { startScriptedUpstream, type Script, type Seen } from '../peers/scripted-upstream.ts'

/** Starts a service on loopback that ends with its test. Returns its base URL. */
export async function serviceThat(answers: Script): Promise<string> {
  const upstream = await startScriptedUpstream(answers)
  onTestFinished(() => upstream.close())
  return upstream.url
}

/** A streamed answer of two events, spelled as the service spells them. */
export const STREAM: string = ['The sea', ' is salty.']
  .map(
    text => `data: {"candidates": [{"content": {"parts": [{"text": "${text}"}],"role": "model"}}]}\r\n\r\n`,
  )
  .join('')

/** Answers with {@link STREAM}. */
export function stream(_request: Seen, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM)
}
