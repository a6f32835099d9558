/** The server of the page, as a developer has one: the page with its script, and nothing else. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'

/** The page's script, all of it in one, with the SDK of this version; it is `page` there. */
async function bundle(sdk) {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@google/genai/web': sdk } },
    build: {
      write: false,
      // What an error is called is part of what is told.
      minify: false,
      lib: { entry: join(import.meta.dirname, 'page.mjs'), formats: ['iife'], name: 'page' },
    },
  })
  const outputs = [built].flat().flatMap(({ output }) => output)
  return outputs.flatMap(({ type, code }) => (type === 'chunk' ? [code] : [])).join('\n')
}

/** Serves the page. `sdk` is the file of the SDK's build for browsers. Returns the page's address. */
export async function servePage(sdk) {
  const pages = {
    '/': { type: 'text/html', text: '<!doctype html><title>App</title><script src="/page.js"></script>' },
    '/page.js': { type: 'text/javascript', text: await bundle(sdk) },
  }
  const server = createServer((incoming, outgoing) => {
    const page = pages[incoming.url]
    if (page === undefined) outgoing.writeHead(404).end()
    else outgoing.setHeader('content-type', page.type).end(page.text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}`
}
