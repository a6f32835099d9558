/** What the writer writes stays as it is under formatters, and means the same to other readers. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import type { CassetteDocument } from '../../src/cassette/model.ts'
import { renderCassette, renderDocument } from '../../src/cassette/render.ts'
import { socketDocuments } from './arbitrary-sockets.ts'
import { documents, hostileText } from './arbitrary.ts'

const oxfmt = resolve(import.meta.dirname, '../../node_modules/.bin/oxfmt')

/** One document for each of many hostile texts: as a key, in a flow, on its own, in a list. */
const hostile: fc.Arbitrary<CassetteDocument> = fc
  .tuple(hostileText, hostileText, hostileText)
  .map(([one, two, three]) => ({
    type: 'exchange',
    exchange: {
      exchange: 'unknown',
      name: one,
      request: {
        method: 'POST',
        url: 'https://api.test/',
        headers: [],
        body: {
          type: 'value',
          value: { [one]: two, [`k${three}`]: [{ [two]: three }, [[one, two]], one], n: { a: three, b: {} } },
        },
      },
      end: { at: 1, how: 'upstream-error' },
      line: 0,
    },
  }))

describe('any cassette', () => {
  it('is left as it is by Prettier with its defaults', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(documents, socketDocuments), async list => {
        const text = renderCassette(list)
        expect(await format(text, { parser: 'yaml' })).toBe(text)
      }),
      { numRuns: 90 },
    )
    await fc.assert(
      fc.asyncProperty(hostile, async document => {
        const text = renderDocument(document)
        expect(await format(text, { parser: 'yaml' })).toBe(text)
      }),
      { numRuns: 200 },
    )
  })

  // The same samples each time: a key of 77 to 97 columns with nothing in it is laid out as Prettier does.
  it('is left as it is by oxfmt with its defaults', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wiretape-format-'))
    try {
      const texts = [
        ...fc.sample(documents, { numRuns: 40, seed: 1 }).map(renderCassette),
        ...fc.sample(socketDocuments, { numRuns: 40, seed: 1 }).map(renderCassette),
        ...fc.sample(hostile, { numRuns: 120, seed: 1 }).map(renderDocument),
      ]
      for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${index}.yaml`), text)
      execFileSync(oxfmt, ['.'], { cwd: folder, stdio: 'pipe' })
      const after = texts.map((_, index) => readFileSync(join(folder, `${index}.yaml`), 'utf8'))
      expect(after).toEqual(texts)
      expect(readdirSync(folder)).toHaveLength(200)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('holds the same values for yaml and js-yaml', () => {
    fc.assert(
      fc.property(fc.oneof(documents, socketDocuments, fc.tuple(hostile)), list => {
        for (const document of list) {
          const text = renderDocument(document)
          const read = parseDocument(text, { uniqueKeys: false })
          expect(read.errors).toEqual([])
          expect(JSON.stringify(load(text))).toBe(JSON.stringify(read.toJS()))
        }
      }),
      { numRuns: 100 },
    )
  })
})
