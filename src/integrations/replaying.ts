/**
 * A tape that is replayed: a server, and the carriers in this process, on one replay.
 *
 * Room: integrations.
 */
import type { LoadedCassette } from '../replay/recorded.ts'
import type { InProcessReplay } from '../serve/in-process.ts'
import { createInProcessFetch } from '../serve/in-process-fetch.ts'
import { createSocketFactory } from '../serve/in-process-socket.ts'
import { createInProcessWebSocket } from '../serve/in-process-web-socket.ts'
import { createReplayDispatcher } from '../serve/replay-dispatcher.ts'
import { serveSession } from '../serve/replay-server.ts'
import { createReplaySession, type ReplaySessionOptions } from '../serve/replay-session.ts'
import type { Running } from './running.ts'
import type { TapeReport } from './tape.ts'
import { warnOnce } from './warning.ts'

/** Starts to replay. `upstreams`: where the app asks if not the service itself. */
export async function startReplaying(
  tape: LoadedCassette,
  options: ReplaySessionOptions,
  upstreams: InProcessReplay['upstreams'],
): Promise<Running> {
  const session = createReplaySession([tape], options)
  session.expired.forEach(warnOnce)
  const server = await serveSession(session, {})
  const replay: InProcessReplay = {
    requests: session.requests,
    sockets: session.sockets,
    note: text => session.note(text),
    redactUrl: url => session.redactUrl(url),
    upstreams,
  }
  const report = (): TapeReport => ({ ...session.report(), recorded: 0, unanswered: 0 })
  return {
    url: server.url,
    vertexUrl: server.vertexUrl,
    carriers: {
      fetch: createInProcessFetch(replay),
      WebSocket: createInProcessWebSocket(replay),
      webSocketFactory: createSocketFactory(replay),
      dispatcher: createReplayDispatcher(replay),
    },
    get failures() {
      return session.failures
    },
    report,
    step: stepOptions => session.step(stepOptions),
    async close() {
      await server.close()
      return report()
    },
    async discard() {
      await server.close({ graceMs: 0 })
    },
  }
}
