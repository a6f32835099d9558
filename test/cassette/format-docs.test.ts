/** `docs/format.md` is right: its cassettes are read, its error is printed, its limits and names are the real ones. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/cassette/limits.ts'
import { MIN_MEDIA_CHARACTERS } from '../../src/cassette/media.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { responseChunks } from '../../src/cassette/play.ts'
import { DIALECT_NAMES, dialectNamed } from '../../src/dialect/operation.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'
import schema from '../../schema/cassette-1.schema.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')
const docs = readFileSync(resolve(root, 'docs/format.md'), 'utf8')

/** A snippet and the kind that its fence names: a whole cassette, one exchange, or the keys of a response. */
const snippets = [...docs.matchAll(/^```yaml(?: (\w+))?\n([^]*?)^```$/gm)].map(match => {
  const [, kind = 'cassette', text = ''] = match
  return { kind, text, line: docs.slice(0, match.index).split('\n').length }
})

function wholeOf(kind: string, text: string): string {
  if (kind === 'cassette') return text
  if (kind === 'exchange') return `cassette: 1\n---\n${text}`
  if (kind === 'packed') return `${wholeOf('response', 'status: 200\n')}${text}`
  const response = text.replaceAll(/^(?=.)/gm, '  ')
  return `cassette: 1\n---\nexchange: interactions\nrequest:\n  method: GET\n  url: https://a.example/v1/interactions/b\nresponse:\n${response}end: {}\n`
}

describe('a snippet', () => {
  it.each(snippets)('is a cassette that is read: line $line', ({ kind, text }) => {
    const { documents } = parseCassette(wholeOf(kind, text), { file: 'format.md' })
    expect(documents.map(({ type }) => type)).toEqual(['header', 'exchange'])
  })

  it('comes in the chunks that the text below it says', () => {
    const snippet = snippets.find(({ text }) => text.includes('cuts: [3, 8@483]'))
    const [, document] = parseCassette(wholeOf('response', snippet?.text ?? ''), {
      file: 'format.md',
    }).documents
    if (document?.type !== 'exchange') throw new Error('no such snippet')
    const chunks = responseChunks(
      document.exchange,
      dialectNamed('generate-content') ?? unknown,
      () => undefined,
    )
    expect(chunks.map(({ at, bytes }) => [at, decodeUtf8(bytes)])).toEqual([
      [418, 'data: one\r\n\r\n'],
      [470, 'dat'],
      [470, 'a: tw'],
      [483, 'o\r\n\r\ndata: three\r\n\r\n'],
    ])
  })
})

describe('the page', () => {
  it('shows an error as it is printed', () => {
    const shown = /^```text\n(chat\.cassette\.yaml:[^]*?)```$/m.exec(docs)?.[1]
    const text = `cassette: 1\n---\nexchange: interactions\nrequest:\n  method: GET\n  url: https://a.example/v1/b\nresponse:\n  status: 200\n  events:\n    - at: 480\n      event: done\n      data: [DONE]\nend: { at: 485 }\n`
    let printed = ''
    try {
      parseCassette(text, { file: 'chat.cassette.yaml' })
    } catch (error) {
      printed = error instanceof Error ? error.message : ''
    }
    expect(`${printed}\n`).toBe(shown)
  })

  it('names the limits of the reader and of media', () => {
    const { size, documents, depth, aliases } = DEFAULT_LIMITS
    const count = new Intl.NumberFormat('en-US')
    expect(docs).toContain(
      `more than ${count.format(size)} characters, ${count.format(documents)} documents, ${depth} levels, ${aliases} aliases in a document`,
    )
    expect(docs).toContain(`base64 of ${MIN_MEDIA_CHARACTERS} characters`)
  })

  it('names each API, as the schema does', () => {
    for (const name of DIALECT_NAMES) expect(docs).toContain(`\`${name}\``)
    expect(schema.definitions.exchange.properties.exchange.enum.toSorted()).toEqual(DIALECT_NAMES.toSorted())
  })

  it.each([
    'header',
    'exchange',
    'request',
    'response',
    'event',
    'end',
    'message',
    'close',
    'packed',
  ] as const)('describes every key of the schema: %s', name => {
    for (const key of Object.keys(schema.definitions[name].properties)) expect(docs).toContain(`\`${key}\``)
  })

  it('gives the lines of .gitattributes that this repository has', () => {
    const lines = readFileSync(resolve(root, '.gitattributes'), 'utf8')
    const shown = /^```gitattributes\n([^]*?)```$/m.exec(docs)?.[1] ?? 'none'
    expect(lines).toContain(shown)
  })
})
