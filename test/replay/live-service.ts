/**
 * The two services that an app of `live-world.ts` can talk to: a scripted one, which is recorded, and a
 * replay.
 */
import type { Exchange, SocketMessage } from '../../src/cassette/model.ts'
import { live } from '../../src/dialect/live.ts'
import type { LiveCommand, LiveInput, LiveReplay } from '../../src/replay/live.ts'
import type { JsonValue } from '../../src/wire/json.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'
import { client, closed, connection, server, URL } from './live-playbook.ts'
import {
  runApp,
  type AppEnd,
  type Cue,
  type Schedule,
  type Service,
  type World,
  createWorld,
} from './live-world.ts'

/** What a scripted service waits for, and what it does then. */
export interface Move {
  /** So many inputs with this label in all, or so many ms of sound since the move before. */
  readonly waits?: { readonly for: string; readonly times: number } | { readonly sound: number }
  /** How long it thinks. */
  readonly delay: number
  readonly sends?: JsonValue
  readonly closes?: number
}

/** A session: what the app does and what the service does, socket by socket. */
export interface SessionScript {
  readonly name: string
  /** How many discrete messages the app sends, where it groups function responses as much as it can. */
  readonly discretes: number
  /** Its microphone is not always on. */
  readonly mutes: boolean
  readonly app: readonly (readonly Cue[])[]
  readonly service: readonly (readonly Move[])[]
}

/** Lets the app talk to the scripted service, and returns what a recorder in between would have written. */
export function record(script: SessionScript, schedule: Schedule): readonly Exchange[] {
  const world = createWorld()
  const tapes: SocketMessage[][] = []
  runApp(world, script.app, schedule, end => scripted(world, script.service, end, tapes))
  return tapes.map(messages => connection(messages))
}

function scripted(
  world: World,
  sockets: readonly (readonly Move[])[],
  end: AppEnd,
  tapes: SocketMessage[][],
): Service {
  interface Socket {
    readonly moves: readonly Move[]
    readonly tape: SocketMessage[]
    readonly opened: number
    readonly got: Map<string, number>
    sound: number
    move: number
    thinking: boolean
    open: boolean
  }
  const open = new Map<number, Socket>()

  function isDue(socket: Socket, { waits }: Move): boolean {
    if (waits === undefined) return true
    return 'sound' in waits ? socket.sound >= waits.sound : (socket.got.get(waits.for) ?? 0) >= waits.times
  }

  function think(id: number, socket: Socket): void {
    const move = socket.moves[socket.move]
    if (move === undefined || socket.thinking || !isDue(socket, move)) return
    socket.thinking = true
    world.after(move.delay, () => {
      if (!socket.open) return
      socket.thinking = false
      socket.move += 1
      socket.sound = 0
      const at = world.now() - socket.opened
      if (move.sends !== undefined) {
        socket.tape.push(server(move.sends, { at }))
        end.saw(id, move.sends)
      }
      if (move.closes !== undefined) {
        socket.open = false
        socket.tape.push({ at, ...closed('server', move.closes, 'the end') })
        end.closed(id)
      }
      think(id, socket)
    })
  }

  return {
    open(id) {
      const tape: SocketMessage[] = []
      tapes.push(tape)
      open.set(id, {
        moves: sockets[id] ?? [],
        tape,
        opened: world.now(),
        got: new Map(),
        sound: 0,
        move: 0,
        thinking: false,
        open: true,
      })
      end.opened(id)
    },
    message(id, json) {
      const socket = open.get(id)
      if (socket === undefined || !socket.open) return
      socket.tape.push(client(json, { at: world.now() - socket.opened }))
      for (const input of live.readClient(encodeUtf8(JSON.stringify(json)))) {
        if (input.type === 'media') socket.sound += input.amount
        else socket.got.set(input.label, (socket.got.get(input.label) ?? 0) + 1)
      }
      think(id, socket)
    },
    close(id, code) {
      const socket = open.get(id)
      if (socket === undefined || !socket.open) return
      socket.open = false
      socket.tape.push({ at: world.now() - socket.opened, ...closed('client', code) })
    },
  }
}

/** A carrier in memory: it feeds a replay and runs its commands. */
export function replaying(world: World, replay: LiveReplay, end: AppEnd): Service {
  const encoded = new Map<JsonValue, Uint8Array>()

  function feed(input: LiveInput): void {
    replay.handle(input, world.now()).forEach(run)
  }

  function run(command: LiveCommand): void {
    if (command.type === 'accept') end.opened(command.id)
    else if (command.type === 'send') end.saw(command.id, JSON.parse(decodeUtf8(command.bytes) ?? ''))
    else if (command.type === 'close' || command.type === 'drop') end.closed(command.id)
    else if (command.type === 'wake') {
      world.after(command.at - world.now(), () => feed({ type: 'wake' }))
    }
  }

  return {
    open: id => feed({ type: 'open', id, url: URL, headers: [] }),
    message(id, json) {
      const bytes = encoded.get(json) ?? encodeUtf8(JSON.stringify(json))
      encoded.set(json, bytes)
      feed({ type: 'message', id, bytes, frame: 'text' })
    },
    close: (id, code) => feed({ type: 'close', id, code, reason: '' }),
  }
}
