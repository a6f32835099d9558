/**
 * A relay that stands between an app and a server, and changes what one of the answers says.
 *
 * On undici, since the demo watches the `fetch` of its process.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import undici from 'undici'
import { onTestFinished } from 'vitest'

/** Starts one in front of `url` that puts `change` over the body of the answer with this number, from 1. */
export async function relayTo(
  url: string,
  number: number,
  change: (body: Buffer) => Buffer,
): Promise<string> {
  let answers = 0
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    const answer = await undici.request(url + request.url, {
      method: 'POST',
      headers: { 'content-type': request.headers['content-type'] ?? '' },
      body: Buffer.concat(parts),
    })
    answers += 1
    const body = Buffer.from(await answer.body.arrayBuffer())
    response.writeHead(answer.statusCode, answer.headers)
    response.end(answers === number ? change(body) : body)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
