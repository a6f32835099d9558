/** A page in Chromium has Live sessions with a replay, by the SDK's build for browsers. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplaying } from '../serve/replaying.ts'
import { closedWith, LIVE_CASSETTES } from './live-cassettes.ts'
import { LIVE_SEEN } from './live-seen.ts'
import { LIVE_NAMES } from './live-transcripts.ts'

const CHROMIUM = '/usr/bin/chromium'
const isHere = existsSync(CHROMIUM)

/** A server of one page, whose script is `live-page.ts` with all that it needs, as `page.run`. */
async function servePage(): Promise<Server> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: resolve(import.meta.dirname, 'live-page.ts'), formats: ['iife'], name: 'page' },
    },
  })
  const outputs = [built].flat().flatMap(result => ('output' in result ? result.output : []))
  const script = outputs.flatMap(output => (output.type === 'chunk' ? [output.code] : [])).join('\n')
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Live</title><script src="/page.js"></script>')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return server
}

describe.runIf(isHere)('a page in a browser', () => {
  let browser: Browser
  let server: Server
  let address = ''

  beforeAll(async () => {
    server = await servePage()
    const bound = server.address()
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/`
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
  })

  async function seenInPage(name: (typeof LIVE_NAMES)[number], baseUrl: string): Promise<unknown> {
    const page = await browser.newPage()
    try {
      await page.goto(address)
      return await page.evaluate(`page.run(${JSON.stringify(name)}, ${JSON.stringify(baseUrl)})`)
    } finally {
      await page.close()
    }
  }

  const whole = LIVE_NAMES.filter(name => name !== 'a close in mid-turn')
  it.each(whole)('has %s, message by message', async name => {
    await using replaying = await startReplaying(LIVE_CASSETTES[name])
    expect(await seenInPage(name, replaying.server.url)).toEqual(LIVE_SEEN[name])
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [], notes: [] })
  })

  // A page decodes a binary message while the next event comes already: what came right before a close may be
  // seen after it, or, before the session has begun, be lost on the SDK's connect call, which rejects then.
  it('is told of a close and of a miss as any client is', async () => {
    await using replaying = await startReplaying(closedWith(1008, 'no such model'))
    const told = () => seenInPage('a close in mid-turn', replaying.server.url).then(String, String)
    expect(await told()).toContain('close 1008 no such model')
    expect(await told()).toContain('WIRETAPE_NO_MATCH: the one that is recorded had their turn')
    expect(replaying.server.failures).toMatchObject([{ code: 'WIRETAPE_NO_MATCH' }])
  })
})

describe.skipIf(isHere)('a page in a browser', () => {
  it('is not tested: there is no /usr/bin/chromium, which `apt-get install chromium` brings', () => {})
})
