/**
 * Replays what is on a cassette, and records what is not: the mode `new-episodes`.
 *
 * One server for both: a request goes to the replay, and what that passes on to the service, through a recorder
 * whose exchanges are appended to the cassette. For a socket its first message decides.
 *
 * Room: serve.
 */
import { existsSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import type { ReplayReport } from '../replay/report.ts'
import { packed } from '../store/episodes.ts'
import type { RecordSummary } from '../store/finish.ts'
import { loadCassette } from '../store/load.ts'
import { createRecordServer, type RecordServer, type RecordServerOptions } from './record-server.ts'
import { createReplayHandler } from './replay-handler.ts'
import { createReplaySession, type ReplaySession, type ReplaySessionOptions } from './replay-session.ts'
import type { Front } from './service-proxy.ts'
import { createReplayUpgrades } from './socket-peer.ts'
import { isHandshake } from './upgrade.ts'
import { GRACE_MS } from './grace.ts'

/** How to replay, and how to record. */
export interface EpisodeServerOptions {
  readonly replay: Omit<ReplaySessionOptions, 'onMiss'>
  readonly record: Omit<RecordServerOptions, 'existing'>
}

/** A replay that grows. */
export interface EpisodeServer extends Pick<RecordServer, 'url' | 'vertexUrl' | 'progress' | 'discard'> {
  readonly session: ReplaySession
  /** As {@link RecordServer.close}, with how the replay went. */
  close(): Promise<{ readonly summary: RecordSummary; readonly report: ReplayReport }>
}

/**
 * Starts to replay a cassette that may grow, or be made.
 *
 * @throws what `loadCassette` throws, but for a cassette that is not there; `WIRETAPE_USAGE` where it is packed;
 * what {@link createRecordServer} throws.
 */
export async function createEpisodeServer({ replay, record }: EpisodeServerOptions): Promise<EpisodeServer> {
  const { file } = record
  const cassettes = existsSync(file) ? [await loadCassette(file)] : []
  if (cassettes.some(({ cassette }) => cassette.blobs !== undefined)) throw packed(file)
  const session = createReplaySession(cassettes, { ...replay, onMiss: 'pass' })
  const server = await createRecordServer({ ...record, existing: 'append' }, replayFirst(session))
  const { url, vertexUrl } = server
  return {
    url,
    vertexUrl,
    session,
    progress: () => server.progress(),
    async discard() {
      session.sockets.cut()
      await server.discard()
      session.stop()
    },
    async close() {
      // The recorder cuts what is left on its connections, played answers too.
      await session.idle(GRACE_MS)
      session.sockets.cut()
      const summary = await server.close()
      await session.idle(GRACE_MS)
      session.stop()
      return { summary, report: session.report() }
    },
  }
}

/** What the replay passes on goes behind. */
function replayFirst(session: ReplaySession): Front {
  const { requests, sockets } = session
  const note = (text: string): void => session.note(text)
  const redact = (url: string): string => session.redactUrl(url)
  return behind => {
    const replayed = createReplayUpgrades(sockets, note, asking => behind.socket(asking))
    return {
      handler: createReplayHandler(requests, note, redact, '', (request, body, response) =>
        behind.handle(again(request, body), response),
      ),
      upgrades: {
        owns: request => replayed.owns(request) || isHandshake(request),
        upgrade(request, connection, head) {
          if (replayed.owns(request)) replayed.upgrade(request, connection, head)
          else behind.socket({ request, head })
        },
      },
    }
  }
}

/** The same request before its body was read. */
function again(request: IncomingMessage, body: Uint8Array): IncomingMessage {
  const { method, url, headers, rawHeaders, socket } = request
  const same = Object.assign(new IncomingMessage(socket), {
    method,
    url,
    headers,
    rawHeaders,
    complete: true,
  })
  if (body.length > 0) same.push(body)
  same.push(null)
  return same
}
