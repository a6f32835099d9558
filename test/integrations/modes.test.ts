/** What each mode does with a cassette, and what it leaves alone. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { useCassette } from '../../src/index.ts'
import { failureOf } from '../failure.ts'
import { ask, kindsIn, newFile, startService, textOf } from './service.ts'

/** A cassette with one question on it, recorded from a service. */
async function recorded(text = 'Hello'): Promise<{ file: string; old: string; url: string }> {
  const { url } = await startService()
  const file = newFile()
  const tape = await useCassette(file, { mode: 'once', upstream: url })
  await ask(tape.url, text)
  await tape.close()
  return { file, old: textOf(file) ?? '', url }
}

describe('replay', () => {
  it('says how a cassette is recorded that is not there', async () => {
    const file = newFile()
    const { code, message } = await failureOf(() => useCassette(file, { mode: 'replay' }))
    expect(code).toBe('WIRETAPE_CASSETTE_MISSING')
    expect(message.replaceAll(file, 'FILE')).toMatchInlineSnapshot(`
      "There is no cassette at FILE.

      Record it: run this test with the option \`mode: 'once'\` and a key, or: wiretape record FILE -- COMMAND"
    `)
  })

  it('answers only what is recorded', async () => {
    const { file } = await recorded()
    const tape = await useCassette(file, { mode: 'replay' })
    expect(tape).toMatchObject({ mode: 'replay', isRecording: false })
    expect(await ask(tape.url, 'Hello')).toContain('Sunny.')
    expect(await ask(tape.url, 'Bye')).toContain('WIRETAPE_NO_MATCH')
    expect(tape.failures).toHaveLength(1)
    expect((await failureOf(() => tape.close())).code).toBe('WIRETAPE_NO_MATCH')
  })
})

describe('once', () => {
  it('records what is not there, and replays it from then on', async () => {
    const { url, seen } = await startService()
    const file = newFile()
    const first = await useCassette(file, { mode: 'once', upstream: url, note: 'From a test.' })
    expect(first).toMatchObject({ mode: 'once', isRecording: true })
    const answer = await ask(first.url, 'Hello')
    expect(await first.close()).toMatchObject({ recorded: 1, requests: 1, failures: [], leftovers: [] })
    expect(textOf(file)).toContain('note: From a test.')

    const second = await useCassette(file, { mode: 'once', upstream: url })
    expect(second.isRecording).toBe(false)
    expect(await ask(second.url, 'Hello')).toBe(answer)
    expect(await second.close()).toMatchObject({ played: 1, recorded: 0 })
    expect(seen).toHaveLength(1)
  })

  it('never overwrites: a request that is not on the cassette is refused', async () => {
    const { file, old, url } = await recorded()
    const tape = await useCassette(file, { mode: 'once', upstream: url })
    await ask(tape.url, 'Bye')
    expect((await failureOf(() => tape.close())).code).toBe('WIRETAPE_NO_MATCH')
    expect(textOf(file)).toBe(old)
  })

  it('does not overwrite what came into being meanwhile either', async () => {
    const { url } = await startService()
    const file = newFile()
    const tape = await useCassette(file, { mode: 'once', upstream: url })
    await ask(tape.url, 'Hello')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'cassette: 1\nby: hand\n')
    expect((await failureOf(() => tape.close())).code).toBe('WIRETAPE_USAGE')
    expect(textOf(file)).toBe('cassette: 1\nby: hand\n')
  })

  it('fails where there was nothing to record', async () => {
    const file = newFile()
    const tape = await useCassette(file, { mode: 'once' })
    const { code, message } = await failureOf(() => tape.close())
    expect(code).toBe('WIRETAPE_UNFINISHED')
    expect(message.replaceAll(file, 'FILE')).toMatchInlineSnapshot(`
      "Nothing reached the service while FILE was being recorded (mode 'once'): no request came. It was not written.

      A recording asks the service, and the app needs a key of its own for that: GEMINI_API_KEY or GOOGLE_API_KEY; on
      Vertex AI application default credentials (GOOGLE_APPLICATION_CREDENTIALS) and GOOGLE_CLOUD_PROJECT. Without them an
      SDK stops before it asks, with "Could not load the default credentials" or another error of its own.
      If the app has them: did it get \`tape.client\`, \`tape.url\`, \`tape.env\` or \`tape.fetch\`?"
    `)
    expect(textOf(file)).toBeUndefined()
    const allowed = await useCassette(file, { mode: 'once', allow: ['never-asked'] })
    expect((await allowed.close()).notes).toHaveLength(1)
  })
})

describe('new-episodes', () => {
  it('replays what is there and appends what is not, and leaves the old text byte for byte', async () => {
    const { file, old, url } = await recorded()
    const edited = `${old}# Kept by hand.\n`
    writeFileSync(file, edited)
    const tape = await useCassette(file, { mode: 'new-episodes', upstream: url })
    await ask(tape.url, 'Hello')
    await ask(tape.url, 'Bye')
    expect(await tape.close()).toMatchObject({
      exchanges: 1,
      played: 1,
      requests: 2,
      recorded: 1,
      failures: [],
    })
    expect(textOf(file)?.startsWith(edited)).toBe(true)
    expect(kindsIn(file)).toBe('header exchange header exchange')

    const next = await useCassette(file, { mode: 'replay' })
    for (const text of ['Hello', 'Bye']) await ask(next.url, text)
    expect(await next.close()).toMatchObject({ played: 2 })
  })
})

describe('all', () => {
  it('records everything again', async () => {
    const { file, url } = await recorded()
    const tape = await useCassette(file, { mode: 'all', upstream: url })
    await ask(tape.url, 'Bye')
    await tape.close()
    expect(textOf(file)).toContain('Bye')
    expect(textOf(file)).not.toContain('Hello')
  })
})

describe('a re-recording that fails', () => {
  it.each(['all', 'new-episodes'] as const)(
    '(%s) for the service is away leaves the old one as it was',
    async mode => {
      const { file, old } = await recorded()
      const tape = await useCassette(file, { mode, upstream: 'http://127.0.0.1:9' })
      await ask(tape.url, 'Bye')
      const { code, message } = await failureOf(() => tape.close())
      expect(code).toBe('WIRETAPE_UPSTREAM')
      expect(message).toContain('is as it was')
      expect(textOf(file)).toBe(old)
    },
  )

  it.each(['all', 'new-episodes'] as const)(
    '(%s) for the test throws, and discards it, leaves the old one',
    async mode => {
      const { file, old, url } = await recorded()
      const tape = await useCassette(file, { mode, upstream: url })
      await ask(tape.url, 'Bye')
      await tape.discard()
      expect(textOf(file)).toBe(old)
      const next = await useCassette(file, { mode: 'replay' })
      await ask(next.url, 'Hello')
      await next.close()
    },
  )

  it.each(['all', 'new-episodes'] as const)('(%s) for a secret was found leaves the old one', async mode => {
    const { file, old, url } = await recorded()
    const tape = await useCassette(file, { mode, upstream: url })
    // A key in base64 can't be replaced.
    await ask(tape.url, Buffer.from('  AIzaSyD-NotARealKey-0000000000000000000  ').toString('base64'))
    expect((await failureOf(() => tape.close())).code).toBe('WIRETAPE_SECRET')
    expect(textOf(file)).toBe(old)
  })

  it('for nothing came leaves the old one', async () => {
    const { file, old } = await recorded()
    const tape = await useCassette(file, { mode: 'all' })
    expect((await failureOf(() => tape.close())).code).toBe('WIRETAPE_UNFINISHED')
    expect(textOf(file)).toBe(old)
  })
})

describe('a first recording', () => {
  it('of a service that is away writes nothing: it would be replayed for ever', async () => {
    const file = newFile()
    const tape = await useCassette(file, { mode: 'once', upstream: 'http://127.0.0.1:9' })
    await ask(tape.url, 'Hello')
    const { code, message } = await failureOf(() => tape.close())
    expect(code).toBe('WIRETAPE_UPSTREAM')
    expect(message).toContain('was not written')
    expect(textOf(file)).toBeUndefined()
  })
})

describe('passthrough', () => {
  it('neither records nor replays', async () => {
    const { file, old, url } = await recorded()
    const tape = await useCassette(file, { mode: 'passthrough', upstream: url })
    expect(tape.isRecording).toBe(false)
    expect(await ask(tape.url, 'Anything')).toContain('Sunny.')
    expect(await tape.close()).toMatchObject({ requests: 1, recorded: 0, failures: [], leftovers: [] })
    expect(textOf(file)).toBe(old)
  })
})

describe('an expired cassette', () => {
  it('warns once, notes it in each report, and fails nothing', async () => {
    const { file, old } = await recorded()
    writeFileSync(file, old.replace(/\n---/, '\nexpires: 2026-01-31\n---'))
    const warnings: string[] = []
    const hear = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`)
    process.on('warning', hear)
    for (let time = 0; time < 2; time += 1) {
      const tape = await useCassette(file, { mode: 'replay' })
      await ask(tape.url, 'Hello')
      expect((await tape.close()).notes).toEqual([expect.stringContaining('expired') as string])
    }
    process.off('warning', hear)
    expect(warnings).toEqual([`WiretapeWarning: ${file} expired (\`expires: 2026-01-31\`): record it again`])
  })
})

describe('a test with fake timers', () => {
  it('records what can be replayed, whenever they were put in place', async () => {
    const { url } = await startService()
    const file = newFile()
    try {
      const tape = await useCassette(file, { mode: 'once', upstream: url })
      await ask(tape.url, 'Hello')
      vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'setInterval'] })
      await ask(tape.url, 'Bye')
      await tape.close()
      const again = await useCassette(file, { mode: 'replay' })
      for (const text of ['Hello', 'Bye']) await ask(again.url, text)
      expect(await again.close()).toMatchObject({ played: 2 })
    } finally {
      vi.useRealTimers()
    }
  })
})
