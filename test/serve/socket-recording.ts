/** What the tests of recorded sockets share: a proxy in front of a service, a client, and what was journalled. */
import { WebSocket } from 'ws'
import { afterEach } from 'vitest'
import type { RecordServerOptions } from '../../src/serve/record-server.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'
import {
  startFrameUpstream,
  type FrameUpstream,
  type FrameUpstreamOptions,
  type FramePeer,
  openFrames,
} from '../peers/frames.ts'
import { startRecording, type Recording } from '../peers/recording.ts'
import { startSocketUpstream, type SocketScript, type SocketUpstream } from '../peers/socket-upstream.ts'

/** Where an SDK opens its socket. */
export const PATH = '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=none'

const disposals: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose()
})

/** Lets it go at the end of the test. */
export function disposing<T extends { close(): Promise<unknown> }>(what: T): T {
  disposals.push(async () => void (await what.close()))
  return what
}

/** A proxy in front of this service. */
export async function recordingOf(
  upstream: string,
  options: Partial<RecordServerOptions> = {},
): Promise<Recording> {
  const recording = await startRecording(upstream, { vertexUpstream: upstream, ...options })
  disposals.push(() => recording.dispose())
  return recording
}

/** A service and a proxy, and both ends of a socket through it, on bare sockets. */
export async function joined(options: FrameUpstreamOptions = {}): Promise<{
  readonly upstream: FrameUpstream
  readonly recording: Recording
  readonly client: FramePeer
  readonly service: FramePeer
}> {
  const upstream = disposing(await startFrameUpstream(options))
  const recording = await recordingOf(upstream.url)
  const client = await openFrames(`${recording.server.url}${PATH}`)
  disposals.push(async () => void client.connection.destroy())
  return { upstream, recording, client, service: await upstream.opened(1) }
}

/** A service by `ws`, and a proxy in front of it. */
export async function served(
  script?: SocketScript,
  options?: Partial<RecordServerOptions>,
): Promise<{ readonly upstream: SocketUpstream; readonly recording: Recording; readonly url: string }> {
  const upstream = disposing(await startSocketUpstream(script))
  const recording = await recordingOf(upstream.url, options)
  return { upstream, recording, url: `${recording.server.url.replace('http', 'ws')}${PATH}` }
}

/** A client by `ws`. */
export function clientOf(url: string, options: ConstructorParameters<typeof WebSocket>[2] = {}): WebSocket {
  const socket = new WebSocket(url, { skipUTF8Validation: true, ...options })
  socket.on('error', () => {})
  disposals.push(async () => socket.terminate())
  return socket
}

/** What is in the journal of the only exchange. */
export function only(recording: Recording): WireExchange {
  const [exchange, ...others] = recording.journalled()
  if (exchange === undefined || others.length > 0) throw new Error(`${others.length} others`)
  return exchange
}

/** Its messages and its close, in short. */
export function passed(recording: Recording): readonly string[] {
  const { socket, end } = only(recording)
  const close = socket?.close
  return [
    ...(socket?.messages ?? []).map(
      ({ from, frame, bytes }) => `${from} ${frame} ${Buffer.from(bytes).toString()}`,
    ),
    ...(close === undefined ? [] : [`${close.by} close ${close.code ?? ''} ${close.reason}`.trimEnd()]),
    end.how ?? 'complete',
  ]
}
