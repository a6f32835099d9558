/** A service for the command's tests: plain `node:http`, answering with what each test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a service on loopback that ends with its test. Returns its base URL. */
export async function serviceThat(
  answers: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => answers(request, response))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on TCP has an address and a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A streamed answer of two events, spelled as the service spells them. */
export const STREAM: string = ['The sea', ' is salty.']
  .map(
    text => `data: {"candidates": [{"content": {"parts": [{"text": "${text}"}],"role": "model"}}]}\r\n\r\n`,
  )
  .join('')

/** Answers with {@link STREAM}. */
export function stream(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM)
}
