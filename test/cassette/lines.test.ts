/** The reader of lines gives the nodes that the YAML reader gives, or declines. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/cassette/limits.ts'
import { Declined } from '../../src/cassette/lines-scalar.ts'
import { readLines } from '../../src/cassette/lines.ts'
import type { CassetteDocument } from '../../src/cassette/model.ts'
import { openText } from '../../src/cassette/parse-text.ts'
import { treeOf } from '../../src/cassette/parse-tree.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { checkSyntax, composeDocument, documentRanges } from '../../src/cassette/parse-yaml.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import type { Source } from '../../src/cassette/source.ts'
import type { TreeNode } from '../../src/cassette/tree.ts'
import { WiretapeError } from '../../src/errors.ts'
import { socketDocuments } from './arbitrary-sockets.ts'
import { documents, hostileText } from './arbitrary.ts'

/** The node with its lists read. */
function whole(node: TreeNode): TreeNode {
  switch (node.type) {
    case 'scalar':
      return node
    case 'list':
      return { ...node, items: Array.from(node.items, whole) }
    case 'map':
      return { ...node, fields: node.fields.map(field => ({ ...field, value: whole(field.value) })) }
  }
}

type Reading = { readonly node: TreeNode } | 'declined' | 'refused'

/** What each reader makes of each document of a text; nothing where no reader is asked. */
function readings(text: string): readonly { readonly lines: Reading; readonly yaml: Reading }[] {
  let source: Source
  let ranges: ReturnType<typeof documentRanges>
  try {
    source = openText(text, { file: 'any' })
    ranges = documentRanges(source, DEFAULT_LIMITS)
  } catch (error) {
    if (WiretapeError.is(error)) return []
    throw error
  }
  return ranges.map(range => ({
    lines: attempt(() => readLines(source.text, range, DEFAULT_LIMITS)),
    yaml: attempt(() => {
      const yaml = composeDocument(source, range, DEFAULT_LIMITS)
      checkSyntax(source, yaml)
      return treeOf(source, yaml, DEFAULT_LIMITS)
    }),
  }))
}

function attempt(read: () => TreeNode): Reading {
  try {
    return { node: whole(read()) }
  } catch (error) {
    if (error instanceof Declined) return 'declined'
    if (WiretapeError.is(error)) return 'refused'
    throw error
  }
}

function declines(document: string): boolean {
  return readings(document)[0]?.lines === 'declined'
}

describe('whatever is written', () => {
  function isReadAlike(list: readonly CassetteDocument[]): void {
    const text = renderCassette(list)
    for (const { lines, yaml } of readings(text)) expect(lines, text).toEqual(yaml)
  }

  it('is read alike: streams', () => {
    fc.assert(fc.property(documents, isReadAlike), { numRuns: 200 })
  })

  it('is read alike: sockets', () => {
    fc.assert(fc.property(socketDocuments, isReadAlike), { numRuns: 200 })
  })
})

it('an empty collection behind a key that is as long as a line is read alike', () => {
  const key = `${'word '.repeat(20)}end`
  const text = `a:\n  ${key}:\n    []\n  ${key}s:\n    {}\n`
  const [reading] = readings(text)
  expect(reading?.lines).toEqual(reading?.yaml)
  expect(reading?.lines).not.toBe('declined')
})

describe('whatever is edited', () => {
  /** A place, how much is taken out there, and what is put in. */
  const edits = fc.array(
    fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat({ max: 6 }),
      fc.oneof(
        hostileText,
        fc.constantFrom(
          '',
          ' ',
          '\n',
          ': ',
          '  ',
          '- ',
          '#',
          '"',
          "'",
          '|',
          '{',
          '}',
          '[',
          ']',
          ',',
          '&a ',
          '*a',
        ),
        fc.constantFrom('\n\n', '\n  ', ' #', '---\n', '? ', '!!str ', '>-', '|2', '\t', 'a: 1\n', '<<: {}'),
      ),
    ),
    { minLength: 1, maxLength: 3 },
  )

  function edited(text: string, list: readonly (readonly [number, number, string])[]): string {
    return list.reduce((rest, [place, taken, put]) => {
      const at = Math.floor(place * rest.length)
      return rest.slice(0, at) + put + rest.slice(at + taken)
    }, text)
  }

  it.each([
    ['streams', documents],
    ['sockets', socketDocuments],
  ])('is read alike, or left to the YAML reader: %s', (_what, list) => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(list, edits, (before, changes) => {
        const text = edited(renderCassette(before), changes)
        for (const { lines, yaml } of readings(text)) {
          seen.add(typeof lines === 'string' ? lines : 'read')
          if (lines !== 'declined') expect(lines, text).toEqual(yaml)
        }
      }),
      { numRuns: 700 },
    )
    expect([...seen].toSorted()).toEqual(['declined', 'read'])
  })
})

describe('the reader of lines declines', () => {
  it.each([
    ['a comment', 'a: 1 # one\n'],
    ['a line of its own that is one', '# one\na: 1\n'],
    ['a blank line', 'a: 1\n\nb: 2\n'],
    ['another indentation', 'a:\n    b: 1\n'],
    ['a list that is not indented', 'a:\n- 1\n'],
    ['an anchor', 'a: &b 1\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['a key twice, of many', 'a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: 1\nh: 1\na: 2\n'],
    ['a key twice, on a line', 'a: { b: 1, b: 2 }\n'],
    ['a key that is a number', '1: 1\n'],
    ['a value that is missing', 'a:\nb: 1\n'],
    ['a word of YAML 1.1', 'a: yes\n'],
    ['a number of YAML', 'a: 0x1F\n'],
    ['a folded block', 'a: >-\n  b\n'],
    ['a block with a line of blanks', 'a: |-\n  b\n   \n  c\n'],
    ['a block whose end has line feeds that do not count', 'a: |-\n  b\n\nc: 1\n'],
    ['a text on two lines', 'a: "b\n  c"\n'],
    ['an escape of YAML', 'a: "\\x41"\n'],
    ['brackets without a space', 'a: {b: 1}\n'],
    ['brackets on two lines', 'a: { b: 1,\n  c: 2 }\n'],
    ['what is nested too deeply', `a: ${'['.repeat(80)}${']'.repeat(80)}\n`],
    ['what has no line feed at its end', 'a: 1'],
    ['a list at the top', '- a\n'],
    ['a line in a long list that is less indented', 'messages:\n  - a: 1\n b: 2\n  - c: 3\nend: 1\n'],
  ])('%s', (_what, text) => {
    expect(declines(text)).toBe(true)
  })
})

describe('a list that is too long to be kept', () => {
  it('gives the same values whenever they are asked for', () => {
    const items = Array.from(
      { length: 9000 },
      (_, index) =>
        `  - at: ${index}\n    server:\n      serverContent:\n        modelTurn:\n          parts: [{ text: "${index}, and so on and on, until it is long" }]\n`,
    )
    const text = `cassette: 1\n---\nexchange: live\nrequest:\n  url: wss://a.example/ws\nmessages:\n${items.join('')}  - at: 9000\n    client: { a: 1.0 }\nend: {}\n`
    const [, document] = parseCassette(text, { file: 'long' }).documents
    if (document?.type !== 'exchange') throw new Error('no exchange')
    const { messages = [] } = document.exchange
    expect(text.length).toBeGreaterThan(1_000_000)
    expect(messages).toHaveLength(9001)
    for (const index of [0, 8999, 17, 17]) {
      const { at, server } = messages[index] ?? {}
      const parts = [{ text: `${index}, and so on and on, until it is long` }]
      expect(at).toBe(index)
      expect(server?.type === 'value' && server.value).toEqual({ serverContent: { modelTurn: { parts } } })
    }
    const last = messages.at(-1)?.client
    expect(last?.type === 'value' && [last.value, last.numbers]).toEqual([{ a: 1 }, ['1.0']])
    expect(renderCassette(parseCassette(text, { file: 'long' }).documents)).toBe(text)
  })
})

describe('every shipped cassette', () => {
  const folder = resolve(import.meta.dirname, '../../cassettes')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.cassette.yaml'),
  )

  it.each(names)('%s is read alike, or left to the YAML reader', name => {
    for (const { lines, yaml } of readings(readFileSync(resolve(folder, name), 'utf8'))) {
      if (lines !== 'declined') expect(lines).toEqual(yaml)
    }
  })
})
