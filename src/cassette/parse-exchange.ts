/**
 * One exchange: a document with a request, mostly a response, and an end.
 *
 * Room: cassette.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { DIALECT_NAMES, dialectNamed } from '../dialect/operation.ts'
import { END_KINDS, type End } from '../wire/exchange.ts'
import { EOLS } from '../wire/sse.ts'
import { blobsAt } from './parse-blobs.ts'
import { excerpt } from './code-frame.ts'
import { MATCH_KINDS, type Exchange } from './model.ts'
import { timeOrderOf, type TimeOrder } from './parse-cuts.ts'
import {
  countAt,
  fail,
  fieldsAt,
  optional,
  required,
  textAt,
  timeAt,
  wordAt,
  type Fields,
} from './parse-fields.ts'
import { messagesAt } from './parse-messages.ts'
import { failBoth } from './parse-payload.ts'
import { requestAt, responseAt } from './parse-response.ts'
import type { Source } from './source.ts'
import { didYouMean, oneOf } from './suggest.ts'
import type { FieldNode, MapNode } from './tree.ts'

/** The keys of an exchange. */
export const EXCHANGE_KEYS: readonly string[] = [
  'exchange',
  'name',
  'note',
  'at',
  'repeat',
  'match',
  'eol',
  'request',
  'response',
  'messages',
  'blobs',
  'end',
]

/** Reads a document that is an exchange and has its `end`. Throws `WIRETAPE_CASSETTE_INVALID`. */
export function exchangeAt(source: Source, node: MapNode): Exchange {
  const fields = fieldsAt(source, node, 'this exchange', EXCHANGE_KEYS)
  const dialect = dialectAt(source, required(source, fields, 'exchange', node))
  const endField = endLast(source, node, fields)
  const eol = optional(fields, 'eol', field => wordAt(source, field, EOLS))
  const blobs = optional(fields, 'blobs', field => blobsAt(source, field))
  const times = timeOrderOf(source)
  checkOneAnswer(source, fields)
  const { socket } = dialect
  const kind = socket === undefined ? 'answer' : 'socket'
  const sizes = new Map(Object.entries(blobs ?? {}))
  const context = {
    dialect,
    eol: eol ?? dialect.eol,
    blobs: sizes,
    times,
  }
  return {
    exchange: dialect.name,
    name: optional(fields, 'name', field => textAt(source, field, '`name`')),
    note: optional(fields, 'note', field => textAt(source, field, '`note`')),
    at: optional(fields, 'at', field => timeAt(source, field)),
    repeat: optional(fields, 'repeat', field => repeatAt(source, field)),
    match: optional(fields, 'match', field => wordAt(source, field, MATCH_KINDS)),
    eol,
    request: requestAt(source, required(source, fields, 'request', node), kind, sizes),
    response: optional(fields, 'response', field => responseAt(source, field, context)),
    messages: optional(fields, 'messages', field =>
      messagesAt(source, field, { socket, blobs: sizes, times }),
    ),
    blobs,
    end: endAt(source, endField, fields, times),
    line: source.lineAt(node.offset),
  }
}

function dialectAt(source: Source, field: FieldNode): Dialect {
  const name = textAt(source, field, '`exchange`')
  const dialect = dialectNamed(name)
  if (dialect !== undefined) return dialect
  return fail(source, field.value.offset, {
    what: `\`exchange\` is \`${excerpt(name)}\`, which this version does not know`,
    expected: oneOf(DIALECT_NAMES),
    hint: didYouMean(name, DIALECT_NAMES) ?? 'A newer version of Wiretape may read it.',
  })
}

/** `end` says that everything before it is there, so nothing may come after it. */
function endLast(source: Source, node: MapNode, fields: Fields): FieldNode {
  const end = required(source, fields, 'end', node)
  const last = node.fields.at(-1)
  if (last === undefined || last.name === 'end') return end
  return fail(source, last.offset, {
    what: `\`${excerpt(last.name)}\` comes after \`end\``,
    expected: '`end` as the last key of an exchange',
    hint: 'Move `end` to the end of the document; before the next exchange goes a line `---`.',
  })
}

/** A socket that was opened has messages, one that was refused a response. */
function checkOneAnswer(source: Source, fields: Fields): void {
  const messages = fields.get('messages')
  if (messages !== undefined && fields.has('response')) failBoth(source, messages, 'response')
}

function endAt(source: Source, field: FieldNode, exchange: Fields, times: TimeOrder): End {
  const fields = fieldsAt(source, field.value, '`end`', ['at', 'how'])
  const at = optional(fields, 'at', time => timeAt(source, time))
  times.next(at, fields.get('at')?.value.offset ?? field.offset)
  const how = optional(fields, 'how', word => wordAt(source, word, END_KINDS))
  if (how === undefined && !exchange.has('response') && !exchange.has('messages')) {
    fail(source, field.offset, {
      what: 'an exchange without a `response` that ended well',
      expected: `a \`response\`, for a socket \`messages\`, or \`how\` in \`end\`: ${oneOf(END_KINDS)}`,
      hint: 'If the service was never reached, write `end: { how: upstream-error }`.',
    })
  }
  return { at, how }
}

function repeatAt(source: Source, field: FieldNode): number | 'always' {
  const { value } = field
  if (value.type !== 'scalar' || typeof value.value !== 'string') return countAt(source, field, 1)
  if (value.value === 'always') return 'always'
  return fail(source, value.offset, {
    what: `\`repeat\` is \`${excerpt(value.value)}\``,
    expected: 'a number from 1, or `always`',
    hint: didYouMean(value.value, ['always']),
  })
}
