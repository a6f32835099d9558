/**
 * Both ends of a WebSocket on bare sockets, frame by frame (RFC 6455 §5): what they say is bytes, so they can
 * say what no library would, and show what no library does.
 */
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from './loopback.ts'

export const TEXT = 1
export const BINARY = 2
export const CLOSE = 8
export const PING = 9
export const PONG = 10
/** The opcode of every fragment but the first. */
export const MORE = 0

/** One frame, unmasked. */
export interface Frame {
  readonly opcode: number
  readonly payload: Buffer
  /** False for all fragments of a message but its last. */
  readonly fin: boolean
}

/** One end of a socket that is open. */
export interface FramePeer {
  readonly connection: Socket
  /** The request or the answer that opened it. */
  readonly head: string
  /** What came, in order. */
  readonly frames: readonly Frame[]
  send(opcode: number, payload?: string | Uint8Array, fin?: 'fin' | 'unfinished'): void
  /** Waits until so many frames have come. */
  until(count: number): Promise<readonly Frame[]>
  /** Waits until the other side has ended the connection, or cut it. */
  ended(): Promise<void>
}

/** The fields of a handshake that every client has. */
export const HANDSHAKE: Readonly<Record<string, string>> = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** The payload of a close frame. */
export function closePayload(code: number, reason: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(code)
  return Buffer.concat([bytes, Buffer.from(reason)])
}

/** The bytes of a frame; a client must mask them. */
export function frameBytes(
  opcode: number,
  payload: string | Uint8Array = '',
  fin: 'fin' | 'unfinished' = 'fin',
  side: 'client' | 'server' = 'server',
): Buffer {
  const bytes = Buffer.from(payload)
  const first = (fin === 'fin' ? 0x80 : 0) | opcode
  const masked = side === 'client' ? 0x80 : 0
  const head =
    bytes.length < 126
      ? Buffer.of(first, masked | bytes.length)
      : Buffer.of(first, masked | 126, bytes.length >> 8, bytes.length & 0xff)
  if (bytes.length > 0xffff) throw new Error('longer frames are not made here')
  if (masked === 0) return Buffer.concat([head, bytes])
  const mask = Buffer.of(0x37, 0xfa, 0x21, 0x3d)
  return Buffer.concat([head, mask, bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0))])
}

/** Asks for a socket; `behind` goes out in the same write as the request. Rejects where it is not opened. */
export async function openFrames(
  url: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  behind: Uint8Array = new Uint8Array(0),
): Promise<FramePeer> {
  const { hostname, port, host } = new URL(url)
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
  const connection = connect(Number(port), hostname)
  connection.setNoDelay(true)
  const fields = Object.entries({ host, ...HANDSHAKE, ...headers }).flatMap(([name, values]) =>
    [values].flat().map(value => `${name}: ${value}\r\n`),
  )
  connection.write(Buffer.concat([Buffer.from(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`), behind]))
  const { head, rest } = await readHead(connection)
  if (!head.startsWith('HTTP/1.1 101 ')) throw new Error(head)
  return peerOf(connection, head, rest, 'client')
}

/** A service that opens every socket. */
export interface FrameUpstream {
  readonly url: string
  /** The sockets it has opened. */
  readonly peers: readonly FramePeer[]
  /** The newest of them, once there are so many. */
  opened(count: number): Promise<FramePeer>
  close(): Promise<void>
}

/** How sockets are opened. */
export interface FrameUpstreamOptions {
  /** Fields of the answer besides those of the handshake, each with its line end. */
  readonly fields?: string
  /** What goes out in the same write as the answer. */
  readonly behind?: Uint8Array
  /** Waited for before the answer. */
  readonly before?: (head: string, connection: Socket) => Promise<void> | void
}

/** Starts one on a free port of the loopback. */
export async function startFrameUpstream({
  fields = '',
  behind = Buffer.alloc(0),
  before = () => {},
}: FrameUpstreamOptions = {}): Promise<FrameUpstream> {
  const peers: FramePeer[] = []
  const connections = new Set<Socket>()
  const signal = new EventEmitter()
  const server = createServer({ noDelay: true, allowHalfOpen: true }, async connection => {
    connections.add(connection)
    connection.on('error', () => {})
    const { head, rest } = await readHead(connection)
    await before(head, connection)
    const [, key = ''] = /^sec-websocket-key: (.*)$/im.exec(head) ?? []
    const answer =
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${acceptOf(key)}\r\n${fields}\r\n`
    connection.write(Buffer.concat([Buffer.from(answer, 'latin1'), behind]))
    peers.push(peerOf(connection, head, rest, 'server'))
    signal.emit('change')
  })
  const url = await listenOnLoopback(server)
  return {
    url,
    peers,
    async opened(count) {
      while (peers.length < count) await once(signal, 'change')
      return peers[count - 1] as FramePeer
    },
    close: () =>
      new Promise(resolve => {
        for (const connection of connections) connection.destroy()
        server.close(() => resolve())
      }),
  }
}

/** RFC 6455 §4.2.2. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
}

/** Reads up to the empty line, and no byte further than it was given. */
async function readHead(connection: Socket): Promise<{ head: string; rest: Buffer }> {
  let bytes = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    const take = (piece: Buffer): void => {
      bytes = Buffer.concat([bytes, piece])
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      connection.off('data', take).off('close', fail)
      resolve({ head: bytes.toString('latin1', 0, end + 2), rest: bytes.subarray(end + 4) })
    }
    const fail = (): void => reject(new Error(`the connection ended: ${bytes.toString('latin1')}`))
    connection.on('data', take).once('close', fail)
  })
}

function peerOf(connection: Socket, head: string, rest: Buffer, side: 'client' | 'server'): FramePeer {
  const frames: Frame[] = []
  const signal = new EventEmitter()
  let bytes = Buffer.alloc(0)
  const state = { isOver: false }
  const take = (piece: Buffer): void => {
    bytes = Buffer.concat([bytes, piece])
    for (let read = readFrame(bytes); read !== undefined; read = readFrame(bytes)) {
      frames.push(read.frame)
      bytes = bytes.subarray(read.length)
    }
    signal.emit('change')
  }
  const over = (): void => {
    state.isOver = true
    signal.emit('change')
  }
  take(rest)
  connection.on('data', take).on('error', over).on('end', over).on('close', over)
  return {
    connection,
    head,
    frames,
    send: (opcode, payload, fin) => void connection.write(frameBytes(opcode, payload, fin, side)),
    async until(count) {
      while (frames.length < count && !state.isOver) await once(signal, 'change')
      return frames
    },
    async ended() {
      while (!state.isOver) await once(signal, 'change')
    },
  }
}

function readFrame(bytes: Buffer): { frame: Frame; length: number } | undefined {
  const [first = 0, second = 0] = bytes
  if (bytes.length < 2) return undefined
  const short = second & 0x7f
  const start = short < 126 ? 2 : short === 126 ? 4 : 10
  if (bytes.length < start + 4 && start > 2) return undefined
  const size = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const maskAt = (second & 0x80) === 0 ? undefined : start
  const at = start + (maskAt === undefined ? 0 : 4)
  if (bytes.length < at + size) return undefined
  const payload = Buffer.from(bytes.subarray(at, at + size))
  if (maskAt !== undefined) {
    payload.forEach((byte, index) => (payload[index] = byte ^ (bytes[maskAt + (index % 4)] ?? 0)))
  }
  return { frame: { opcode: first & 0x0f, payload, fin: (first & 0x80) !== 0 }, length: at + size }
}
