/**
 * The header of a cassette: which format, when, by what, from which client.
 *
 * Room: cassette.
 */
import { WiretapeError } from '../errors.ts'
import { isExpiry } from './expiry.ts'
import { FORMAT, type Header } from './model.ts'
import { countAt, fail, fieldsAt, optional, textAt } from './parse-fields.ts'
import { invalid, type Source } from './source.ts'
import { kindOf, type FieldNode, type MapNode } from './tree.ts'

const HEADER_KEYS: readonly string[] = ['cassette', 'recorded', 'by', 'client', 'note', 'expires']

/** RFC 3339 in UTC. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/**
 * Reads a document that is a header.
 *
 * @throws WiretapeError `WIRETAPE_CASSETTE_VERSION` for a format of a newer version, else `WIRETAPE_CASSETTE_INVALID`.
 */
export function headerAt(source: Source, node: MapNode): Header {
  // The version comes first: a newer format may have other keys.
  const version = node.fields.find(field => field.name === 'cassette')
  if (version !== undefined) checkVersion(source, version)
  const fields = fieldsAt(source, node, 'this header', HEADER_KEYS)
  return {
    cassette: FORMAT,
    recorded: optional(fields, 'recorded', field => momentAt(source, field)),
    by: optional(fields, 'by', field => textAt(source, field, '`by`')),
    client: optional(fields, 'client', field => textAt(source, field, '`client`')),
    note: optional(fields, 'note', field => textAt(source, field, '`note`')),
    expires: optional(fields, 'expires', field => expiryAt(source, field)),
  }
}

function checkVersion(source: Source, field: FieldNode): void {
  const { value } = field
  if (value.type !== 'scalar' || typeof value.value !== 'number' || value.value < FORMAT) {
    fail(source, value.offset, {
      what: `\`cassette\` is ${kindOf(value)}`,
      expected: `the number of the format, \`${FORMAT}\``,
    })
  }
  const found = countAt(source, field, FORMAT)
  if (found === FORMAT) return
  const { message, details } = invalid(source, {
    offset: value.offset,
    what: `this cassette is written in format ${found}; this version of Wiretape reads format ${FORMAT}`,
  })
  throw new WiretapeError('WIRETAPE_CASSETTE_VERSION', message, {
    hint: 'Update Wiretape.',
    details: { ...details, found, reads: [FORMAT] },
  })
}

function momentAt(source: Source, field: FieldNode): string {
  const text = textAt(source, field, '`recorded`')
  if (MOMENT.test(text) && !Number.isNaN(Date.parse(text))) return text
  return fail(source, field.value.offset, {
    what: `\`recorded\` is \`${text.slice(0, 40)}\``,
    expected: 'a moment in UTC, such as `2026-11-30T10:12:04Z`',
  })
}

function expiryAt(source: Source, field: FieldNode): string {
  const text = textAt(source, field, '`expires`')
  if (isExpiry(text)) return text
  return fail(source, field.value.offset, {
    what: `\`expires\` is \`${text.slice(0, 40)}\``,
    expected: 'a date or a moment of RFC 3339, such as `2027-01-31` or `2027-01-31T12:00:00Z`',
  })
}
