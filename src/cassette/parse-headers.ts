/**
 * Header and trailer fields: names in lower case, values as texts, a repeated one as a list.
 *
 * Room: cassette.
 */
import type { HeaderList } from '../wire/headers.ts'
import { excerpt } from './code-frame.ts'
import { fail, mapAt, textAt, type Fields } from './parse-fields.ts'
import type { Source } from './source.ts'
import type { FieldNode, TreeNode } from './tree.ts'

/** A field name: a token (RFC 9110 §5.6.2) in lower case. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/

/** A field value, or a reason phrase: what HTTP/1.1 can carry, one character per byte (RFC 9110 §5.5). */
export const FIELD_VALUE: RegExp = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** The fields in `headers` or `trailers`; none where the key is not there. */
export function headersAt(source: Source, fields: Fields, key: 'headers' | 'trailers'): HeaderList {
  const field = fields.get(key)
  if (field === undefined) return []
  return mapAt(source, field.value, `\`${key}\``).fields.flatMap(header => {
    checkName(source, header)
    return valuesOf(source, header).map(value => [header.name, value] as const)
  })
}

function checkName(source: Source, { name, offset }: FieldNode): void {
  if (NAME.test(name)) return
  const lower = name.toLowerCase()
  fail(source, offset, {
    what: `\`${excerpt(name)}\` is not a header name`,
    expected: 'a name in lower case, of letters, digits and dashes',
    hint: NAME.test(lower) ? `Write it in lower case: \`${excerpt(lower)}\`.` : undefined,
  })
}

function valuesOf(source: Source, { name, value }: FieldNode): readonly string[] {
  if (value.type !== 'list') return [valueOf(source, name, value)]
  const items = [...value.items]
  if (items.length === 0) {
    fail(source, value.offset, {
      what: `the header \`${excerpt(name)}\` is an empty list`,
      hint: 'Leave it out.',
    })
  }
  return items.map(item => valueOf(source, name, item))
}

function valueOf(source: Source, name: string, value: TreeNode): string {
  const text = textAt(source, { value }, `the header \`${excerpt(name)}\``)
  if (FIELD_VALUE.test(text)) return text
  return fail(source, value.offset, {
    what: `the header \`${excerpt(name)}\` has a character that HTTP cannot carry`,
    expected: 'characters up to U+00FF, without line ends; each stands for one byte',
  })
}
