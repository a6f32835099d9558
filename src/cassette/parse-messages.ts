/**
 * What went over a socket: messages in order, and how it was closed.
 *
 * Room: cassette.
 */
import type { SocketDialect } from '../dialect/live-messages.ts'
import { MAX_REASON_BYTES } from '../wire/close.ts'
import { encodeUtf8 } from '../wire/text.ts'
import { keeping, type Keep } from './late-value.ts'
import type { SocketClose, SocketMessage } from './model.ts'
import type { TimeOrder } from './parse-cuts.ts'
import {
  countAt,
  fail,
  fieldsAt,
  listAt,
  optional,
  required,
  textAt,
  timeAt,
  wordAt,
  type Fields,
} from './parse-fields.ts'
import { failBoth, payloadAt } from './parse-payload.ts'
import type { BlobSizes } from './parse-references.ts'
import type { Source } from './source.ts'
import type { FieldNode, TreeNode } from './tree.ts'

const KEYS = ['at', 'frame', 'client', 'client-base64', 'server', 'server-base64', 'close'] as const
/** One of these is in every item of the list. */
const CONTENT = ['client', 'client-base64', 'server', 'server-base64', 'close'] as const
const SIDES = ['client', 'server'] as const
const FRAMES = ['text', 'binary'] as const

/** What the messages of one exchange have in common. */
export interface SocketContext {
  /** Undefined for an API that has no sockets. */
  readonly socket: SocketDialect | undefined
  readonly blobs: BlobSizes
  readonly times: TimeOrder
}

/** The list in `messages`. */
export function messagesAt(
  source: Source,
  field: FieldNode,
  context: SocketContext,
): readonly SocketMessage[] {
  if (context.socket === undefined) {
    fail(source, field.offset, {
      what: '`messages` in an exchange that is no socket',
      hint: 'The API of a socket is `live`; the parts of any other answer are the `events` of its `response`.',
    })
  }
  const messages: SocketMessage[] = []
  const list = listAt(source, field.value, '`messages`')
  const keep = { client: keeping(source, list, 'client'), server: keeping(source, list, 'server') }
  for (const item of list.items) {
    if (messages.at(-1)?.close !== undefined) {
      fail(source, item.offset, {
        what: 'a message after the `close`',
        expected: '`close` as the last of the `messages`',
        hint: 'Nothing is sent over a socket that is closed. What comes over the next one is an exchange of its own.',
      })
    }
    messages.push(messageAt(source, item, { ...context, keep }))
  }
  return messages
}

/** The same, and what is kept of the payloads of each side. */
interface MessageContext extends SocketContext {
  readonly keep: Readonly<Record<'client' | 'server', Keep>>
}

function messageAt(source: Source, node: TreeNode, { blobs, times, keep }: MessageContext): SocketMessage {
  const fields = fieldsAt(source, node, 'this message', KEYS)
  const at = optional(fields, 'at', field => timeAt(source, field))
  times.next(at, fields.get('at')?.value.offset ?? node.offset)
  checkContent(source, fields, node)
  const close = optional(fields, 'close', field => closeAt(source, field))
  const frame = optional(fields, 'frame', field => wordAt(source, field, FRAMES))
  if (close !== undefined) return { at, close }
  const client = payloadAt(source, fields, 'client', blobs)
  const server = payloadAt(source, fields, 'server', blobs)
  return {
    at,
    frame,
    client: keep.client(client, node),
    server: keep.server(server, node),
  }
}

/** An item is one message, or the close. */
function checkContent(source: Source, fields: Fields, node: TreeNode): void {
  const [first, second] = CONTENT.flatMap(name => fields.get(name) ?? [])
  if (first !== undefined && second !== undefined) failBoth(source, second, first.name)
  if (first === undefined) {
    fail(source, node.offset, {
      what: 'this message has nothing in it',
      expected: '`client`, `server` or `close`',
    })
  }
  const frame = fields.get('frame')
  if (first.name !== 'close' || frame === undefined) return
  fail(source, frame.offset, {
    what: 'a `close` with a `frame`',
    hint: 'Remove `frame`: it says how a message was sent.',
  })
}

function closeAt(source: Source, field: FieldNode): SocketClose {
  const fields = fieldsAt(source, field.value, '`close`', ['by', 'code', 'reason'])
  const by = wordAt(source, required(source, fields, 'by', field), SIDES)
  const code = optional(fields, 'code', number => codeAt(source, number))
  const reason = optional(fields, 'reason', text => reasonAt(source, text))
  const place = fields.get('reason')
  if (place !== undefined && code === undefined) {
    fail(source, place.offset, {
      what: 'a `reason` without a `code`',
      hint: 'A close frame has a reason only behind a code: add `code`, `1000` for a normal end.',
    })
  }
  return { by, code, reason }
}

/** A code that a close frame may carry (RFC 6455 §7.4): `ws`, undici and browsers take no other for one. */
function codeAt(source: Source, field: FieldNode): number {
  const code = countAt(source, field, 0)
  if ((code >= 1000 && code <= 1014 && !(code >= 1004 && code <= 1006)) || (code >= 3000 && code <= 4999)) {
    return code
  }
  return fail(source, field.value.offset, {
    what: `no close frame carries the code ${code}`,
    expected: '1000 to 1003, 1007 to 1014, or 3000 to 4999',
    hint: HINTS.get(code),
  })
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [1005, 'It is how programs say that there was no code: leave `code` out.'],
  [
    1006,
    'It is how programs say that there was no close at all: leave `close` out, and write `how` in `end`.',
  ],
])

function reasonAt(source: Source, field: FieldNode): string {
  const reason = textAt(source, field, '`reason`')
  const { length } = encodeUtf8(reason)
  if (length <= MAX_REASON_BYTES) return reason
  return fail(source, field.value.offset, {
    what: `a \`reason\` of ${length} bytes`,
    expected: `at most ${MAX_REASON_BYTES}, which is what a close frame has room for`,
  })
}
