/**
 * A plain `node:http` upstream that answers by a script, in literal bytes: a stand-in for the service that
 * shares no code with what is tested.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listenOnLoopback } from './loopback.ts'

/** A request as the upstream got it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers one request. */
export type Script = (seen: Seen, response: ServerResponse) => void | Promise<void>

/** A running upstream. */
export interface ScriptedUpstream {
  readonly url: string
  readonly seen: readonly Seen[]
  close(): Promise<void>
}

/** Starts one on a free port of the loopback. */
export async function startScriptedUpstream(script: Script): Promise<ScriptedUpstream> {
  const seen: Seen[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one: Seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
    }
    seen.push(one)
    response.sendDate = false
    await script(one, response)
  }

  // A client that leaves in the middle of its request ends the reading above; that is its right.
  const server = createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  )
  // No `keep-alive` field: it belongs to one connection, and a proxy has its own.
  server.keepAliveTimeout = 0
  const url = await listenOnLoopback(server)
  return {
    url,
    seen,
    close: () => closeServer(server),
  }
}
