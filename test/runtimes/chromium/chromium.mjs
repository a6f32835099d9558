/**
 * The build of @google/genai for browsers, in a page of Debian's Chromium, as an app uses it.
 *
 * Usage: node --experimental-import-meta-resolve chromium.mjs genai-js@VERSION SCENARIO.json
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { installed, main, versionFolder } from '../javascript/program.mjs'
import { servePage } from './page-server.mjs'

const CHROMIUM = '/usr/bin/chromium'
const SDK = join(versionFolder, 'node_modules/@google/genai/dist/web/index.mjs')
/** A browser asks for more than its pages do. Here it finds nobody but this machine. */
const ALONE = ['--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
const { GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_API_KEY: apiKey } = process.env

await main(async scenario => {
  const runtime = installed('@google/genai')
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}, which apt-get install chromium brings`)
  if (scenario.backend === 'vertex') {
    return { runtime, unsupported: 'A page has no credentials for Vertex AI but a key of its own kind.' }
  }
  const address = await servePage(SDK)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...ALONE] })
  try {
    const page = await browser.newPage()
    await page.goto(address)
    const told = {
      scenario,
      baseUrl,
      apiKey,
      runtime: { ...runtime, chromium: browser.version() },
    }
    return await page.evaluate(`page.act(${JSON.stringify(told)})`)
  } finally {
    await browser.close()
  }
})
