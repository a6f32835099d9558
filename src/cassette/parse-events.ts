/**
 * The events of a streamed answer.
 *
 * Room: cassette.
 */
import type { Dialect } from '../dialect/dialect.ts'
import type { Eol } from '../wire/sse.ts'
import type { Payload, StreamEvent } from './model.ts'
import { cutsAt, cutsWithin, type TimeOrder } from './parse-cuts.ts'
import { fail, fieldsAt, listAt, markAt, optional, textAt, timeAt, type Fields } from './parse-fields.ts'
import { failBoth, payloadAt } from './parse-payload.ts'
import { growthOf, type BlobSizes } from './parse-references.ts'
import { eventBytes } from './play.ts'
import type { Source } from './source.ts'
import type { FieldNode, TreeNode } from './tree.ts'

const KEYS = [
  'at',
  'joined',
  'cuts',
  'hold',
  'event',
  'id',
  'retry',
  'data',
  'data-base64',
  'raw',
  'raw-base64',
] as const

/** The keys that make up a proper event. */
const PROPER = ['event', 'id', 'retry', 'data', 'data-base64'] as const

/** What the events of one exchange have in common. */
export interface StreamContext {
  readonly dialect: Dialect
  readonly eol: Eol
  readonly blobs: BlobSizes
  readonly times: TimeOrder
}

/** The list in `events`. */
export function eventsAt(source: Source, field: FieldNode, context: StreamContext): readonly StreamEvent[] {
  return Array.from(listAt(source, field.value, '`events`').items, (item, index) =>
    eventAt(source, item, index, context),
  )
}

function eventAt(source: Source, node: TreeNode, index: number, context: StreamContext): StreamEvent {
  const fields = fieldsAt(source, node, 'this event', KEYS)
  const joined = optional(fields, 'joined', field => markAt(source, field))
  const at = optional(fields, 'at', field => timeAt(source, field))
  checkJoined(source, fields, index)
  context.times.next(at, fields.get('at')?.value.offset ?? node.offset)
  const data = payloadAt(source, fields, 'data', context.blobs)
  const raw = payloadAt(source, fields, 'raw', context.blobs)
  checkContent(source, fields, node)
  checkLineEnds(source, fields.get('data'), data)
  const content = {
    event: optional(fields, 'event', field => lineAt(source, field)),
    id: optional(fields, 'id', field => lineAt(source, field)),
    retry: optional(fields, 'retry', field => lineAt(source, field)),
    data,
    raw,
  }
  const cuts = optional(fields, 'cuts', field =>
    cutsWithin(source, cutsAt(source, field, 1, context.times), lengthOf(content, context), 'this event'),
  )
  return { at, joined, cuts, hold: optional(fields, 'hold', field => markAt(source, field)), ...content }
}

function checkJoined(source: Source, fields: Fields, index: number): void {
  const joined = fields.get('joined')
  if (joined === undefined) return
  if (index === 0) {
    fail(source, joined.offset, {
      what: 'the first event is `joined`, but there is none before it',
      hint: 'Remove `joined`.',
    })
  }
  const at = fields.get('at')
  if (at === undefined) return
  fail(source, at.offset, {
    what: 'a `joined` event has a time of its own',
    hint: 'It came with the chunk before: remove `at` or `joined`. When a later piece of it came is said in `cuts`.',
  })
}

/** An event is either proper or raw, and has something in it. */
function checkContent(source: Source, fields: Fields, node: TreeNode): void {
  const proper = PROPER.find(name => fields.has(name))
  const raw = fields.get('raw') ?? fields.get('raw-base64')
  if (proper !== undefined && raw !== undefined) failBoth(source, raw, proper)
  if (proper !== undefined || raw !== undefined) return
  fail(source, node.offset, {
    what: 'this event has nothing in it',
    expected: '`data`, `event`, `id`, `retry` or `raw`',
    hint: 'Bytes that are no proper event, such as a blank line, are written as `raw`.',
  })
}

/** A carriage return ends a line for every reader of a stream, whatever its own line ends are. */
function checkLineEnds(source: Source, field: FieldNode | undefined, data: Payload | undefined): void {
  if (field === undefined || data?.type !== 'text' || !data.text.includes('\r')) return
  fail(source, field.value.offset, {
    what: '`data` has a carriage return in it',
    expected: 'lines parted by line feeds',
    hint: 'Say the line ends of the stream in `eol`, and write bytes that are no proper event as `raw`.',
  })
}

/** The value of a field that is one line of a stream. */
function lineAt(source: Source, field: FieldNode): string {
  const text = textAt(source, field, `\`${field.name}\``)
  if (!/[\r\n]/.test(text)) return text
  return fail(source, field.value.offset, {
    what: `\`${field.name}\` has a line end in it`,
    expected: 'one line',
    hint: 'Write bytes that are no proper event as `raw`.',
  })
}

/** How long an event is on the wire, in bytes. */
function lengthOf(event: StreamEvent, { dialect, eol, blobs }: StreamContext): number {
  const payload = event.raw ?? event.data
  const growth = payload === undefined ? 0 : growthOf(payload, blobs)
  return eventBytes(event, eol, dialect, () => undefined, new Set()).length + growth
}
