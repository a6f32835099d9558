/**
 * The catalogue of single behaviours (`sse-…`, `call-…`, `signature-…` in `cassettes/cases`): each says what it
 * is about and where it was reported, and what its requests send back is what its answers said.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { generateContent } from '../../src/dialect/generate-content.ts'
import { concatBytes, decodeUtf8 } from '../../src/wire/text.ts'

const folder = resolve(import.meta.dirname, '../../cassettes/cases')
const files = readdirSync(folder).filter(file => /^(sse|call|signature)-.+\.cassette\.yaml$/.test(file))

/** A call, or what a function gave. */
interface Named {
  readonly id?: string | undefined
  readonly name?: string | undefined
}

/** What a request sends along. */
interface Content {
  readonly role: string
  readonly parts: readonly {
    readonly text?: string
    readonly thoughtSignature?: string
    readonly functionCall?: Named
    readonly functionResponse?: Named
  }[]
}

function exchangesOf(text: string): readonly Exchange[] {
  const { documents } = parseCassette(text, { file: 'a case' })
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

function contentsOf(exchange: Exchange): readonly Content[] {
  const { body = new Uint8Array() } = playExchange(exchange, generateContent, () => undefined).request
  const { contents }: { readonly contents: readonly Content[] } = JSON.parse(decodeUtf8(body) ?? '')
  return contents
}

/** The answers, as they were on the wire. */
function answered(exchanges: readonly Exchange[]): string | undefined {
  const chunks = exchanges.flatMap(
    exchange => playExchange(exchange, generateContent, () => undefined).response?.chunks ?? [],
  )
  return decodeUtf8(concatBytes(chunks.map(({ bytes }) => bytes)))
}

function namesOf(calls: readonly (Named | undefined)[]): readonly Named[] {
  return calls.flatMap(call => (call === undefined ? [] : [{ id: call.id, name: call.name }]))
}

describe.each(files)('%s', file => {
  const text = readFileSync(resolve(folder, file), 'utf8')
  const exchanges = exchangesOf(text)

  it('says what a right client does and what a wrong one does, and links what was reported', () => {
    const [header = ''] = text.split('\n---\n')
    const note = header.replaceAll(/\s+/g, ' ')
    expect(note).toMatch(/\bA right client\b/)
    expect(note).toMatch(/https:\/\/github\.com\/[^/ ]+\/[^/ ]+\/[a-z]+\/\w+|No public issue was found\./)
  })

  it('stays as it is under Prettier', async () => {
    expect(await format(text, { parser: 'yaml' })).toBe(text)
  })

  it('has a request of the user first, and another after the answer that it is about', () => {
    expect(exchanges.length).toBeGreaterThan(1)
    for (const exchange of exchanges) {
      expect(contentsOf(exchange)[0]?.role).toBe('user')
      expect(contentsOf(exchange).at(-1)?.role).toBe('user')
    }
  })

  it('answers each call that is sent back, in its order and by its id', () => {
    for (const exchange of exchanges) {
      const contents = contentsOf(exchange)
      for (const [index, { parts }] of contents.entries()) {
        const results = namesOf(parts.map(({ functionResponse }) => functionResponse))
        const calls = contents[index - 1]?.parts.map(({ functionCall }) => functionCall) ?? []
        expect(results).toEqual(namesOf(calls))
      }
    }
  })

  it('sends no signature back but one that it was sent', () => {
    for (const [number, exchange] of exchanges.entries()) {
      const said = answered(exchanges.slice(0, number))
      for (const { thoughtSignature } of contentsOf(exchange).flatMap(({ parts }) => parts)) {
        if (thoughtSignature !== undefined)
          expect(said).toContain(`"thoughtSignature": "${thoughtSignature}"`)
      }
    }
  })
})
