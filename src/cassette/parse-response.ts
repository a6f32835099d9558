/**
 * The two halves of an exchange: what the client sent and what the service answered.
 *
 * Room: cassette.
 */
import { isSocketUrl } from '../dialect/operation.ts'
import { excerpt } from './code-frame.ts'
import type { Payload, RecordedRequest, RecordedResponse } from './model.ts'
import { cutsAt, cutsWithin } from './parse-cuts.ts'
import { eventsAt, type StreamContext } from './parse-events.ts'
import { countAt, fail, fieldsAt, optional, required, textAt, timeAt, type Fields } from './parse-fields.ts'
import { FIELD_VALUE, headersAt } from './parse-headers.ts'
import { failBoth, payloadAt } from './parse-payload.ts'
import { growthOf, type BlobSizes } from './parse-references.ts'
import { payloadBytes } from './play.ts'
import type { Source } from './source.ts'
import { didYouMean } from './suggest.ts'
import { kindOf, type FieldNode } from './tree.ts'

const REQUEST_KEYS = ['method', 'url', 'headers', 'body', 'body-base64'] as const
const RESPONSE_KEYS = [
  'at',
  'status',
  'reason',
  'headers',
  'cuts',
  'body',
  'body-base64',
  'events',
  'trailers',
] as const

/** Methods that are proposed for one that is none. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

/** What the client sent. `kind`: what it asked for, an answer or a socket. */
export function requestAt(
  source: Source,
  field: FieldNode,
  kind: 'answer' | 'socket',
  blobs: BlobSizes,
): RecordedRequest {
  const fields = fieldsAt(source, field.value, '`request`', REQUEST_KEYS)
  if (kind === 'socket') checkHandshake(source, fields)
  return {
    method: kind === 'socket' ? 'GET' : methodAt(source, required(source, fields, 'method', field)),
    url: urlAt(source, required(source, fields, 'url', field), kind),
    headers: headersAt(source, fields, 'headers'),
    body: payloadAt(source, fields, 'body', blobs),
  }
}

/** A socket is asked for by a GET without a body (RFC 6455 §4.1), so a document need not say so. */
function checkHandshake(source: Source, fields: Fields): void {
  const method = fields.get('method')
  const text = method && textAt(source, method, '`method`')
  if (method !== undefined && text !== undefined && text !== 'GET') {
    fail(source, method.value.offset, {
      what: `the \`method\` of a socket is \`${excerpt(text)}\``,
      expected: '`GET`',
      hint: 'Leave `method` out.',
    })
  }
  const body = fields.get('body') ?? fields.get('body-base64')
  if (body === undefined) return
  fail(source, body.offset, {
    what: `the request for a socket has a \`${body.name}\``,
    hint: 'What the client says over the socket stands in `messages`, as `client`.',
  })
}

/** A method is a token (RFC 9110 §9.1), and all that are in use are in upper case. */
function methodAt(source: Source, field: FieldNode): string {
  const method = textAt(source, field, '`method`')
  if (/^[A-Z][A-Z-]*$/.test(method)) return method
  const known = METHODS.find(name => name === method.toUpperCase())
  return fail(source, field.value.offset, {
    what: `\`method\` is \`${excerpt(method)}\``,
    expected: 'a method in upper case, such as `POST`',
    hint: known === undefined ? didYouMean(method, METHODS) : `Did you mean \`${known}\`?`,
  })
}

/** The addresses of each kind, how they begin, and how they are shown. */
const ADDRESSES = {
  answer: { scheme: /^https?:\/\/[^/]/i, shown: '`https://HOST/PATH`' },
  socket: { scheme: /^wss?:\/\/[^/]/i, shown: '`wss://HOST/PATH`' },
} as const

function urlAt(source: Source, field: FieldNode, kind: keyof typeof ADDRESSES): string {
  const url = textAt(source, field, '`url`')
  const { scheme, shown } = ADDRESSES[kind]
  if (scheme.test(url) && !/\s/.test(url) && URL.canParse(url)) return url
  return fail(source, field.value.offset, {
    what: `\`url\` is \`${excerpt(url)}\``,
    expected: `an absolute address, ${shown}`,
    hint: urlHint(url, kind),
  })
}

function urlHint(url: string, kind: keyof typeof ADDRESSES): string | undefined {
  if (ADDRESSES[kind].scheme.test(url)) return undefined
  if (kind === 'answer' && isSocketUrl(url)) return 'The API of a socket is `live`.'
  return 'Write the address at the service, with its host.'
}

/** What the service answered. */
export function responseAt(source: Source, field: FieldNode, context: StreamContext): RecordedResponse {
  const fields = fieldsAt(source, field.value, '`response`', RESPONSE_KEYS)
  const at = optional(fields, 'at', time => timeAt(source, time))
  context.times.next(at, fields.get('at')?.value.offset ?? field.offset)
  checkOneBody(source, fields)
  const body = payloadAt(source, fields, 'body', context.blobs)
  const cuts = optional(fields, 'cuts', cutsField =>
    cutsWithin(
      source,
      cutsAt(source, cutsField, 0, context.times),
      body === undefined ? 0 : lengthOf(body, context),
      'the body',
    ),
  )
  return {
    at,
    status: statusAt(source, required(source, fields, 'status', field)),
    reason: optional(fields, 'reason', reason => reasonAt(source, reason)),
    headers: headersAt(source, fields, 'headers'),
    cuts,
    body,
    events: optional(fields, 'events', events => eventsAt(source, events, context)),
    trailers: headersAt(source, fields, 'trailers'),
  }
}

/** How long a body is on the wire, in bytes. */
function lengthOf(body: Payload, { dialect, blobs }: StreamContext): number {
  return payloadBytes(body, dialect, () => undefined, new Set()).length + growthOf(body, blobs)
}

/** A response has events or a body; `cuts` beside them are the body's. */
function checkOneBody(source: Source, fields: Fields): void {
  const body = fields.get('body') ?? fields.get('body-base64')
  const events = fields.get('events')
  if (body !== undefined && events !== undefined) failBoth(source, events, body.name)
  const cuts = fields.get('cuts')
  if (cuts === undefined || body !== undefined) return
  fail(source, cuts.offset, {
    what: '`cuts` without a `body`',
    hint: 'The cuts of a stream stand in the events that they cut.',
  })
}

/** Statuses of one exchange's answer: three digits; 1xx are not recorded. */
function statusAt(source: Source, field: FieldNode): number {
  const node = field.value
  if (node.type === 'scalar' && node.style === 'plain' && /^[2-9]\d\d$/.test(node.lexeme)) {
    return countAt(source, field, 200)
  }
  return fail(source, node.offset, {
    what: `\`status\` is ${node.type === 'scalar' ? `\`${excerpt(node.lexeme)}\`` : kindOf(node)}`,
    expected: 'the number of an HTTP status, 200 to 999',
    hint:
      node.type === 'scalar' && /^[2-9]\d\d/.test(node.lexeme)
        ? 'What comes after it is the `reason`.'
        : undefined,
  })
}

function reasonAt(source: Source, field: FieldNode): string {
  const reason = textAt(source, field, '`reason`')
  if (FIELD_VALUE.test(reason)) return reason
  return fail(source, field.value.offset, {
    what: '`reason` has a character that HTTP cannot carry',
    expected: 'characters up to U+00FF, without line ends',
  })
}
