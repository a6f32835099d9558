/**
 * A relay that stands between an app and a server, and changes what one of the answers says.
 *
 * On undici, since the demo watches the `fetch` of its process.
 */
import undici from 'undici'
import { serviceThat } from './upstream.ts'

/** Starts one in front of `url` that puts `change` over the body of the answer with this number, from 1. */
export function relayTo(url: string, number: number, change: (body: Buffer) => Buffer): Promise<string> {
  let answers = 0
  return serviceThat(async ({ path, headers, body: sent }, response) => {
    const answer = await undici.request(url + path, {
      method: 'POST',
      headers: { 'content-type': headers['content-type'] ?? '' },
      body: sent,
    })
    answers += 1
    const body = Buffer.from(await answer.body.arrayBuffer())
    response.writeHead(answer.statusCode, answer.headers)
    response.end(answers === number ? change(body) : body)
  })
}
