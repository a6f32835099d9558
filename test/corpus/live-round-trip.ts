/**
 * Takes a recorded connection through the recording proxy and replays the cassette, both times to a client
 * that goes by what it sees, and says what came at each end.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { createRecordServer } from '../../src/serve/record-server.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { startSocketUpstream } from '../peers/socket-upstream.ts'
import type { CorpusSocket } from './sockets.ts'

/** A message as it came out of a socket. */
export interface CameFrame {
  readonly frame: 'text' | 'binary'
  readonly bytes: Buffer
}

/** How a connection is closed, and by whom; `code` undefined: without one. */
export interface PlannedClose {
  readonly by: 'client' | 'server'
  readonly code: number | undefined
  readonly reason: string
}

/** What one end of a socket has seen. */
export interface Seen {
  readonly frames: readonly CameFrame[]
  /** As `ws` tells it: 1005 for a close without a code. */
  readonly code: number
  readonly reason: string
}

/** What the service and its client saw through the proxy, and what a client then saw of the replay. */
export interface LiveTrip {
  readonly service: Seen
  readonly recorded: Seen
  readonly replayed: Seen
}

type Said = CorpusSocket['messages']

/** Records this connection, with this close, and replays it. `url` is a path with its query. */
export async function liveTrip(messages: Said, close: PlannedClose, path: string): Promise<LiveTrip> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-corpus-'))
  const file = join(folder, 'corpus.cassette.yaml')
  let sawIt: (seen: Seen) => void = () => {}
  const atService = new Promise<Seen>(resolve => {
    sawIt = resolve
  })
  const upstream = await startSocketUpstream(socket => {
    void play(socket, 'server', messages, close).then(seen => sawIt(seen))
  })
  try {
    const proxy = await createRecordServer({ file, upstream: upstream.url, vertexUpstream: upstream.url })
    const recorded = await play(open(proxy, path), 'client', messages, close)
    const service = await atService
    await proxy.close()
    const replay = await createReplayServer({ files: [file] })
    const replayed = await play(open(replay, path), 'client', messages, close)
    const report = await replay.close()
    if (report.failures.length + report.leftovers.length + report.notes.length > 0)
      throw new Error(JSON.stringify(report, null, 2))
    return { service, recorded, replayed }
  } finally {
    await upstream.close()
    await rm(folder, { recursive: true })
  }
}

function open(server: { readonly url: string; readonly vertexUrl: string }, path: string): WebSocket {
  const origin = path.includes('LlmBidiService') ? server.vertexUrl : server.url
  return new WebSocket(`${origin.replace('http', 'ws')}${path}`)
}

/** Says what one side said, each message when it has heard all that was said before it. */
function play(
  socket: WebSocket,
  side: 'client' | 'server',
  messages: Said,
  close: PlannedClose,
): Promise<Seen> {
  const frames: CameFrame[] = []
  let next = 0
  let heard = 0

  function go(): void {
    for (let message = messages[next]; message !== undefined; message = messages[next]) {
      if (message.from === side) socket.send(message.bytes, { binary: message.frame === 'binary' })
      else if (heard > 0) heard -= 1
      else return
      next += 1
    }
    if (close.by === side) socket.close(close.code, close.reason)
  }

  socket.on('message', (data, isBinary) => {
    if (!Buffer.isBuffer(data)) throw new Error('a message in pieces')
    frames.push({ frame: isBinary ? 'binary' : 'text', bytes: data })
    heard += 1
    go()
  })
  if (socket.readyState === WebSocket.OPEN) go()
  else socket.once('open', go)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', (code, reason) => resolve({ frames, code, reason: reason.toString() }))
  })
}
