/** A recording that is appended: what is there stays, and a crash at any step appends it once. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { operationOf } from '../../src/dialect/operation.ts'
import { recover } from '../../src/store/finish.ts'
import { loadCassette } from '../../src/store/load.ts'
import { blobFolder, journalFolder } from '../../src/store/paths.ts'
import { concatBytes, decodeUtf8 } from '../../src/wire/text.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { EVENT, leave, OLD, sound } from './days.ts'

/** The first day's cassette. */
function begun(text = OLD): string {
  const file = join(emptyFolder(), 'days.cassette.yaml')
  writeFileSync(file, text)
  return file
}

describe('what is recorded on another day', () => {
  it('comes behind a header of its own, and leaves every byte before it as it was', async () => {
    const file = begun()
    leave(file, EVENT)
    expect(await recover(file)).toMatchObject({ exchanges: 1, events: 1 })
    const text = readFileSync(file, 'utf8')
    expect(text.startsWith(OLD)).toBe(true)
    expect(text.slice(OLD.length)).toMatch(
      /^---\ncassette: 1\nrecorded: 2026-12-01T08:00:00Z\nby: wiretape\/1\n---\n/,
    )
    const { documents } = parseCassette(text, { file })
    expect(documents.map(({ type }) => type)).toEqual(['header', 'exchange', 'header', 'exchange'])
    expect(existsSync(journalFolder(file))).toBe(false)
  })

  it.each([
    ['without a line feed at its end', OLD.trimEnd()],
    ['with the line ends of another system', OLD.replaceAll('\n', '\r\n')],
    ['with a mark of its end', `${OLD}...\n`],
  ])('comes behind a cassette %s too', async (_, old) => {
    const file = begun(old)
    leave(file, EVENT)
    await recover(file)
    const text = readFileSync(file, 'utf8')
    expect(text.startsWith(old)).toBe(true)
    expect(parseCassette(text, { file }).documents).toHaveLength(4)
  })

  it('is a cassette of its own where there was none', async () => {
    const file = join(emptyFolder(), 'days.cassette.yaml')
    leave(file, EVENT)
    await recover(file)
    expect(parseCassette(readFileSync(file, 'utf8'), { file }).documents).toHaveLength(2)
  })

  it('leaves the blobs of other days where they are, and plays its own', async () => {
    const file = join(emptyFolder(), 'days.cassette.yaml')
    for (const fill of ['a', 'b', 'a']) {
      leave(file, sound(fill))
      await recover(file)
    }
    expect(readdirSync(blobFolder(file))).toHaveLength(2)
    const { cassette, blobs } = await loadCassette(file)
    const played = cassette.documents.flatMap(document => {
      if (document.type === 'header') return []
      const { dialect } = operationOf(document.exchange.request)
      const chunks = playExchange(document.exchange, dialect, blobs).response?.chunks ?? []
      return decodeUtf8(concatBytes(chunks.map(({ bytes }) => bytes))) ?? ''
    })
    expect(played).toEqual(['a', 'b', 'a'].map(sound))
  })

  it('leaves a file alone that somebody has put beside the blobs', async () => {
    const file = begun()
    mkdirSync(blobFolder(file))
    writeFileSync(join(blobFolder(file), 'notes.txt'), 'mine')
    leave(file, sound('a'))
    await recover(file)
    expect(readdirSync(blobFolder(file))).toContain('notes.txt')
  })
})

describe('a cassette that nothing can be appended to', () => {
  it('stays as it is, and so does the journal, until it is mended', async () => {
    const file = begun()
    leave(file, EVENT)
    writeFileSync(file, 'cassette: 1\nwrong: yes\n')
    await expect(recover(file)).rejects.toMatchObject({ code: 'WIRETAPE_CASSETTE_INVALID' })
    expect(readFileSync(file, 'utf8')).toBe('cassette: 1\nwrong: yes\n')
    writeFileSync(file, OLD)
    await recover(file)
    expect(parseCassette(readFileSync(file, 'utf8'), { file }).documents).toHaveLength(4)
  })
})
