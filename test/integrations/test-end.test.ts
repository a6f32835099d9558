/** What is left on the disk when a test is over that has recorded, and that the next run can begin. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useCassette } from '../../src/index.ts'
import { startTestTape } from '../../src/integrations/test-end.ts'
import { startScriptedUpstream, type Script } from '../peers/scripted-upstream.ts'
import { ask, bodyOf, newFile, ROUTE, startService, textOf } from './service.ts'

const KEY = 'AIza'.concat('SyD-NotARealKey-0000000000000000000')

async function serviceThat(script: Script): Promise<string> {
  const service = await startScriptedUpstream(script)
  onTestFinished(() => service.close())
  return service.url
}

async function warningsOf(run: () => Promise<void>): Promise<string> {
  const warnings: string[] = []
  const hear = (warning: Error): void => void warnings.push(warning.message)
  process.on('warning', hear)
  await run()
  // Warnings are told a turn later.
  await new Promise(setImmediate)
  process.off('warning', hear)
  return warnings.join('\n')
}

describe('the first recording of a test that fails', () => {
  it('is kept where the service has answered: the answer is to stay the same', async () => {
    const { url: upstream } = await startService()
    const file = newFile()
    const test = await startTestTape(file, { mode: 'once', upstream })
    await ask(test.tape.url, 'Hello')
    expect(await warningsOf(() => test.end('failed'))).toContain('was recorded by a test that failed')
    expect(textOf(file)).toContain('Sunny.')
  })

  it('is not kept where the service refused a key: it would refuse it for ever', async () => {
    const upstream = await serviceThat((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":{"code":403}}')
    })
    const file = newFile()
    const test = await startTestTape(file, { mode: 'once', upstream })
    await ask(test.tape.url, 'Hello')
    expect(test.tape.report()).toMatchObject({ recorded: 1, unanswered: 1 })
    expect(await warningsOf(() => test.end('failed'))).toContain('was not written: the test failed')
    expect(existsSync(dirname(file))).toBe(false)
  })

  it('is not kept where a timeout cut off an answer: it would be cut off for ever', async () => {
    const upstream = await serviceThat((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\r\n\r\n')
    })
    const file = newFile()
    const test = await startTestTape(file, { mode: 'once', upstream })
    const { body } = await fetch(test.tape.url + ROUTE, { method: 'POST', body: bodyOf('Hello') })
    const reader = body?.getReader()
    await reader?.read()
    await test.end('failed')
    await expect(reader?.read()).rejects.toThrow()
    expect(textOf(file)).toBeUndefined()
  })

  it('is told to need a key where nothing came of it: the SDK has failed before it asked', async () => {
    const file = newFile()
    const test = await startTestTape(file, { mode: 'once' })
    const warnings = await warningsOf(() => test.end('failed'))
    expect(warnings).toContain(`Nothing reached the service while ${file} was being recorded (mode 'once')`)
    expect(warnings).toContain('GEMINI_API_KEY or GOOGLE_API_KEY')
  })

  it('is kept with a refusal where the test passes: that is what it is about', async () => {
    const upstream = await serviceThat((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"code":429}}')
    })
    const file = newFile()
    const test = await startTestTape(file, { mode: 'once', upstream })
    await ask(test.tape.url, 'Hello')
    await test.end('passed')
    expect(textOf(file)).toContain('status: 429')
  })
})

describe('a recording that what passed has stopped', () => {
  it.each(['once', 'all', 'new-episodes'] as const)(
    'leaves nothing in the way of the next one, in mode %s',
    async mode => {
      const { url: upstream } = await startService()
      const file = newFile()
      const leaky = await useCassette(file, { mode, upstream })
      // A key in base64 can't be replaced.
      await ask(leaky.url, Buffer.from(`  ${KEY}  `).toString('base64'))
      const error: unknown = await leaky.close().catch((cause: unknown) => cause)
      expect(error).toMatchObject({ code: 'WIRETAPE_SECRET' })
      expect(String(error)).toContain('run the test again')
      expect(String(error)).not.toContain('recover')
      expect(existsSync(dirname(file))).toBe(false)

      const next = await useCassette(file, { mode, upstream })
      await ask(next.url, 'Hello')
      expect(await next.close()).toMatchObject({ recorded: 1, unanswered: 0 })
    },
  )

  it('leaves nothing either where it was a body that can not be read', async () => {
    const { url: upstream } = await startService()
    const file = newFile()
    const tape = await useCassette(file, { mode: 'once', upstream })
    const headers = { 'content-encoding': 'gzip' }
    await fetch(tape.url + ROUTE, { method: 'POST', body: 'no gzip', headers })
    await expect(tape.close()).rejects.toMatchObject({ code: 'WIRETAPE_PROTOCOL' })
    expect(existsSync(dirname(file))).toBe(false)
  })
})

describe('a test that was killed before it asked anything', () => {
  it.each(['once', 'all', 'new-episodes'] as const)('does not keep the next run from it (%s)', async mode => {
    const { url: upstream } = await startService()
    const file = newFile()
    const journal = file.replace(/yaml$/, 'journal')
    mkdirSync(journal, { recursive: true })
    writeFileSync(join(journal, 'session.json'), '{"recorded":"2026-01-31T12:00:00Z"}\n')
    const tape = await useCassette(file, { mode, upstream })
    await ask(tape.url, 'Hello')
    expect(await tape.close()).toMatchObject({ recorded: 1 })
    expect(existsSync(journal)).toBe(false)
  })
})
