/**
 * The rooms of `docs/architecture.md`, held by test: what imports what, who may do I/O, who may name the
 * provider, how long a file may be, and that each says what it is for.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The rooms in order: each may import those before it, `errors.ts` and `clock.ts`, and nothing else of ours. */
const ROOMS = [
  'wire',
  'redact',
  'dialect',
  'cassette',
  'build',
  'record',
  'replay',
  'view',
  'store',
  'serve',
  'cli',
  'integrations',
]
/** Rooms that do I/O. Every other one must run anywhere: no Node built-ins, no timers, no clock, no chance. */
const DOES_IO: ReadonlySet<string> = new Set(['store', 'serve', 'integrations', 'cli'])
/** Rooms that print, document or set names of the provider. `dialect` alone knows what they mean. */
const NAMES_PROVIDER: ReadonlySet<string> = new Set(['dialect', 'integrations', 'cli'])
/** Words of one provider. Shared code must not know them, so it cannot branch on them. */
const PROVIDER = /gemini|bidi|setupComplete|serverContent|modelTurn/i
const IMPURE =
  /from 'node:|\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bprocess\.|\bBuffer\b|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b|\bMath\.random\b|\bcrypto\./
/** Names that say nothing of what a file is for. */
const VAGUE = /(^|\/)(core|utils?|helpers?|types|common|misc)(\.ts|\/)/

const src = resolve(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => path.replaceAll('\\', '/'))

function roomOf(path: string): string | undefined {
  return path.includes('/') ? path.split('/')[0] : undefined
}

describe.each(files)('%s', file => {
  const text = readFileSync(join(src, file), 'utf8')
  const room = roomOf(file)

  it('imports only the rooms it may', () => {
    const imported = [...text.matchAll(/(?:from|import) '(\.[^']*)'/g)].map(([, path]) =>
      relative(src, resolve(src, file, '..', path ?? '')),
    )
    const allowed =
      room === undefined ? (file === 'index.ts' ? ROOMS : []) : ROOMS.slice(0, ROOMS.indexOf(room) + 1)
    const wrong = imported.filter(path => {
      const target = roomOf(path)
      return target === undefined
        ? !['errors.ts', 'clock.ts'].includes(path) && !(room === 'cli' && path === 'index.ts')
        : !allowed.includes(target)
    })
    expect(wrong).toEqual([])
  })

  it('is in a room that exists', () => {
    expect(room === undefined ? ['index.ts', 'errors.ts', 'clock.ts'] : ROOMS).toContain(room ?? file)
  })

  it.runIf(room === undefined || !DOES_IO.has(room))('does no I/O and reads no clock', () => {
    const code = file === 'index.ts' ? '' : text
    expect(code.split('\n').filter(line => IMPURE.test(line))).toEqual([])
  })

  it.runIf(room === undefined ? file !== 'index.ts' : !NAMES_PROVIDER.has(room))('names no provider', () => {
    expect(text.split('\n').filter(line => PROVIDER.test(line))).toEqual([])
  })

  it('has at most 250 lines', () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(250)
  })

  it('opens with a comment that says what it is for', () => {
    expect(text.replace(/^#!.*\n/, '')).toMatch(/^\/\*\*/)
  })

  it('has a name that says what it is for', () => {
    expect(file).not.toMatch(VAGUE)
  })
})
