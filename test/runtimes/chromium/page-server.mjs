/**
 * The server of the page, as a developer has one: it serves the page with its script, and relays what else the page
 * asks for to the API, so that over HTTP the page has one origin to talk to.
 */
import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
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

/** Hands on the request and, piece by piece, the answer. */
function relay(incoming, outgoing, upstream) {
  const { method, headers } = incoming
  const url = new URL(incoming.url, upstream)
  const onward = ask(url, { method, headers: { ...headers, host: url.host } }, answer => {
    outgoing.writeHead(answer.statusCode, answer.statusMessage, answer.headers)
    answer.on('data', piece => outgoing.write(piece))
    answer.on('end', () => outgoing.end())
    // What was cut on the way is cut here too.
    answer.on('error', () => outgoing.destroy())
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}

/** Serves the page. `sdk` is the file of the SDK's build for browsers. Returns the page's address. */
export async function servePage(sdk, upstream) {
  const pages = {
    '/': { type: 'text/html', text: '<!doctype html><title>App</title><script src="/page.js"></script>' },
    '/page.js': { type: 'text/javascript', text: await bundle(sdk) },
  }
  const server = createServer((incoming, outgoing) => {
    const page = pages[incoming.url]
    if (incoming.url.startsWith('/v1')) relay(incoming, outgoing, upstream)
    else if (page === undefined) outgoing.writeHead(404).end()
    else outgoing.setHeader('content-type', page.type).end(page.text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}`
}
