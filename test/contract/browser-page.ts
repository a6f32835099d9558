/** A page in Debian's Chromium, from a server of its own on this machine: what runs in it is one file of these tests. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'

const CHROMIUM = '/usr/bin/chromium'

/** False where there is no Chromium, which `apt-get install chromium` brings. */
export const hasChromium: boolean = existsSync(CHROMIUM)

/** A name that leads to this machine in {@link openPages}, and is none of its own. */
export const FOREIGN = 'foreign.example'

/** A browser, and a server of one page. */
export interface Pages {
  /** Loads the page anew, and calls what its script exports. `host`: by which name the page is reached. */
  call(name: string, args: readonly unknown[], host?: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * Serves a page, and starts a browser for it.
 *
 * @param entry - The file beside this one that the page runs, with all that it needs.
 */
export async function openPages(entry: string): Promise<Pages> {
  const script = await bundled(entry)
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>App</title><script src="/page.js"></script>')
  })
  const { port } = new URL(await listenOnLoopback(server))
  const browser = await launched()
  return {
    async call(name, args, host = '127.0.0.1') {
      const page = await browser.newPage()
      try {
        await page.goto(`http://${host}:${port}/`)
        return await page.evaluate(`page.${name}(...${JSON.stringify(args)})`)
      } finally {
        await page.close()
      }
    },
    async close() {
      await browser.close()
      await closeServer(server)
    },
  }
}

function launched(): Promise<Browser> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${FOREIGN} 127.0.0.1`]
  return chromium.launch({ executablePath: CHROMIUM, args })
}

/** In one script; what it exports is `page` there. */
async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: resolve(import.meta.dirname, entry), formats: ['iife'], name: 'page' },
    },
  })
  const outputs = [built].flat().flatMap(result => ('output' in result ? result.output : []))
  return outputs.flatMap(output => (output.type === 'chunk' ? [output.code] : [])).join('\n')
}
