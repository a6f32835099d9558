/**
 * The document of a socket while its messages go by: its text in parts, and the check that it plays what
 * was recorded. Neither holds more than one message.
 *
 * Room: cassette.
 */
import type { SocketDialect } from '../dialect/live-messages.ts'
import type { End, WireClose, WireExchange, WireMessage } from '../wire/exchange.ts'
import { composeClose, createMessageComposer } from './compose-socket.ts'
import { keptExchange, wholeMilliseconds } from './keep.ts'
import type { BlobSource, Exchange } from './model.ts'
import { socketClose, socketMessages } from './play.ts'
import { MESSAGES_KEY, renderMessage, renderRest, renderStart } from './render.ts'
import type { SideFiles } from './side-files.ts'
import { closeDiffers, messageDiffers } from './verify-socket.ts'
import { endDiffers, startDiffers } from './verify.ts'

/** How a socket was asked for. */
export type SocketHead = Pick<WireExchange, 'at' | 'request'>

/** The text of a socket's document, in parts that follow each other. */
export interface SocketDocument {
  /** What comes before the messages. */
  readonly start: string
  /** What the text of the first message begins with. */
  readonly key: string
  message(message: WireMessage): string
  close(close: WireClose): string
  rest(end: End): string
}

/** Starts the document of a socket whose media goes to `files`. */
export function createSocketDocument(
  head: SocketHead,
  dialect: SocketDialect,
  files: SideFiles,
): SocketDocument {
  const time = wholeMilliseconds()
  const compose = createMessageComposer(dialect, files)
  const { at, request } = keptHead(head)
  let place: 'first' | 'later' = 'first'

  function part(message: ReturnType<typeof compose>): string {
    const text = renderMessage(message, place)
    place = 'later'
    return text
  }

  return {
    start: renderStart({ exchange: dialect.name, at, request: { ...request, body: undefined }, line: 0 }),
    key: MESSAGES_KEY,
    message: message => part(compose({ ...message, at: time(message.at) })),
    close: close => part(composeClose({ ...close, at: time(close.at) })),
    rest(end) {
      const blobs = files.lengths.size === 0 ? {} : { blobs: Object.fromEntries(files.lengths) }
      return renderRest({ ...blobs, end: keptEnd(end, time) }, place === 'first' ? 'empty' : 'written')
    },
  }
}

/** Holds a document against what was recorded. Each gives what differs first, or undefined. */
export interface SocketCheck {
  /** The next message. */
  message(message: WireMessage): string | undefined
  /** What comes after the last. */
  rest(close: WireClose | undefined, end: End): string | undefined
}

/**
 * Starts the check of a document.
 *
 * @param parts - The document as it was read back: whole, or in parts that follow each other, each with some of
 * the messages and all that comes before and behind them.
 */
export function createSocketCheck(
  head: SocketHead,
  dialect: SocketDialect,
  parts: Iterator<Exchange, undefined>,
  blobs: BlobSource,
): SocketCheck {
  const time = wholeMilliseconds()
  const kept = keptHead(head)
  let part: Exchange | undefined
  let played: Generator<WireMessage, undefined> | undefined
  let number = 0
  let wrong: string | undefined

  /** The next message of this part, or of the next. */
  function next(): WireMessage | undefined {
    for (;;) {
      const message = played?.next().value
      if (message !== undefined) return message
      const following = parts.next().value
      if (following === undefined) return undefined
      part = following
      played = socketMessages(part, dialect, blobs)
      wrong ??= partDiffers(kept, part)
    }
  }

  return {
    message(message) {
      number += 1
      const difference = messageDiffers({ ...message, at: time(message.at) }, next(), number)
      return wrong ?? difference
    },
    rest(close, end) {
      const surplus = messageDiffers(undefined, next(), number + 1)
      if (part === undefined) return 'nothing is read back'
      return (
        wrong ??
        surplus ??
        closeDiffers(close && { ...close, at: time(close.at) }, socketClose(part)) ??
        endDiffers(keptEnd(end, time), part.end)
      )
    },
  }
}

function partDiffers(kept: SocketHead, { at = 0, request, messages }: Exchange): string | undefined {
  if (messages === undefined) return 'the socket is there on one side only'
  return startDiffers(kept, { at, request: { ...request, body: undefined } })
}

function keptHead({ at, request }: SocketHead): SocketHead {
  return keptExchange({ at, request, response: undefined, end: { at: undefined, how: undefined } })
}

function keptEnd({ at, how }: End, time: (at: number) => number): End {
  return { at: at === undefined ? undefined : time(at), how }
}
