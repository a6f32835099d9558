/**
 * From what is said over a socket to its document.
 *
 * Room: build.
 */
import { createMessageComposer } from '../cassette/compose-socket.ts'
import type { Blob } from '../cassette/media.ts'
import type { Exchange, SocketMessage } from '../cassette/model.ts'
import { createSideFiles } from '../cassette/side-files.ts'
import { wrongUse } from '../dialect/build-items.ts'
import type { CallIds } from '../dialect/build-ids.ts'
import type { CloseItem, LiveItem, MessageItem } from '../dialect/build-live.ts'
import {
  isReady,
  linesOf,
  readyMessage,
  saidIn,
  setupFor,
  setupMessage,
  type PlacedLine,
} from '../dialect/build-setup.ts'
import type { EndItem, Placing } from '../dialect/build-stream.ts'
import { live } from '../dialect/live.ts'
import type { WireMessage } from '../wire/exchange.ts'
import { concatBytes, encodeUtf8 } from '../wire/text.ts'
import type { ExchangeOptions } from './answer.ts'
import { lengthsOf, type BuiltExchange } from './media.ts'

/** What is said of a session besides its setup and its messages. */
export interface LiveOptions extends ExchangeOptions {
  /** The address of the socket, where it is not the usual one of the service. */
  readonly url?: string | undefined
  /** When the setup was sent: milliseconds since the request's head had arrived. */
  readonly setupAt?: number | undefined
  /** `never`: the setup is not answered by itself, as where the server closes at once. */
  readonly ready?: 'never' | undefined
}

/** What a session is made from. */
export interface SocketDraft {
  readonly url: string
  /** The model as the setup names it, for a setup that follows from the messages; else the setup. */
  readonly setup: { readonly model: string } | { readonly whole: object }
  readonly items: readonly LiveItem[]
  readonly options: LiveOptions
  readonly ids: CallIds
}

/**
 * The document of a session.
 *
 * @param number - Its number in the cassette, from 1.
 * @throws `WIRETAPE_USAGE` where something comes after the close or the end.
 */
export function composeSession(number: number, draft: SocketDraft): BuiltExchange {
  const { url, setup, options, ids } = draft
  const said = linesOf(draft.items)
  checkEnd(said)
  const partly = 'model' in setup
  const first = setupMessage(partly ? setupFor(setup.model, said) : setup.whole)
  const isGreeted = options.ready === 'never' || said.some(isReady)
  const lines: readonly PlacedLine[] = [
    { placing: { at: options.setupAt }, item: first },
    ...(isGreeted ? [] : [{ placing: {}, item: readyMessage() }]),
    ...said,
  ]
  const pieces = new Map<string, Uint8Array[]>()
  const files = createSideFiles(
    number,
    () => false,
    (name, bytes) => pieces.set(name, [...(pieces.get(name) ?? []), bytes]),
  )
  const composer = createMessageComposer(live, files)
  const messages = lines.flatMap(({ placing, item }) => {
    checkPlacing(placing)
    if (item.type === 'end') return []
    if (item.type === 'close') return [closeOf(item, placing)]
    return [{ ...composer(wireMessage(item, ids)), at: placing.at }]
  })
  const blobs: readonly Blob[] = [...pieces].map(([name, parts]) => ({ name, bytes: concatBytes(parts) }))
  const end = said.find(
    (line): line is PlacedLine & { readonly item: EndItem } => line.item.type === 'end',
  )?.item
  const { name, note, at, repeat, match } = options
  const exchange: Exchange = {
    exchange: live.name,
    name,
    note,
    at,
    repeat,
    match: match ?? (partly ? 'route' : undefined),
    request: { method: 'GET', url, headers: [], body: undefined },
    messages,
    blobs: lengthsOf(blobs),
    end: { at: end?.at, how: end?.how },
    line: 0,
  }
  return { exchange, blobs }
}

function wireMessage(item: MessageItem, ids: CallIds): WireMessage {
  const value = saidIn(item, ids)
  const bytes =
    value instanceof Uint8Array
      ? value
      : encodeUtf8(typeof value === 'string' ? value : live.spell(item.from, value))
  return { at: 0, from: item.from, frame: item.frame ?? live.frames[item.from], bytes }
}

function closeOf({ by, code, reason }: CloseItem, { at }: Placing): SocketMessage {
  return { at, close: { by, code, reason } }
}

/** Nothing is sent over a socket that is closed. */
function checkEnd(lines: readonly PlacedLine[]): void {
  const closed = lines.findIndex(({ item }) => item.type === 'close')
  const ended = lines.findIndex(({ item }) => item.type === 'end')
  const rest = closed === -1 ? [] : lines.slice(closed + 1).filter(({ item }) => item.type !== 'end')
  const [late] = rest
  if (late !== undefined) {
    const what = late.item.type === 'close' ? 'A second close' : 'A message'
    throw wrongUse(
      `${what} comes after the close of the socket.`,
      'Put closes() last. What comes over the next socket is a .live() of its own.',
    )
  }
  if (ended !== -1 && ended < lines.length - 1)
    throw wrongUse('Something comes after the end() of a session.', 'Put end() last.')
}

function checkPlacing({ joined, cuts, hold }: Placing): void {
  if (joined === undefined && cuts === undefined && hold === undefined) return
  const name = joined === true ? 'joined' : cuts === undefined ? 'hold' : 'cuts'
  throw wrongUse(
    `${name}() in a Live session.`,
    'Messages of a socket are whole: they have a moment, at(), and no chunks.',
  )
}
