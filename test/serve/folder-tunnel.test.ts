/** A folder of cassettes behind one port with TLS: the user of the proxy says which of them a client is replayed from. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { ProxyAgent, request, WebSocket } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ReplayFolder } from '../../src/serve/replay-folder.ts'
import { answering, startFolder, verdict } from './folder-replaying.ts'
import { askedExchange, BODY, PATH, tape } from './replaying.ts'
import { CA_DIR, curl, type Curled, DEVELOPER, SOCKET, SOCKET_PATH, VERTEX } from './tls-peers.ts'

const TLS = { tls: { caDir: CA_DIR } }

/** Asks through the tunnel of a proxy user; `user` as it stands in the proxy's URL. */
function askThrough(
  { url, caFile = '' }: ReplayFolder,
  user: string,
  address = `https://${DEVELOPER}${PATH}`,
): Promise<Curled> {
  const proxy = user === '' ? url : url.replace('//', `//${user}@`)
  return curl('-i', '--suppress-connect-headers', '--proxy', proxy, '--cacert', caFile, '-d', BODY, address)
}

describe('a tunnel into a folder', () => {
  it('is answered from the cassette that the user of the proxy names', async () => {
    await using server = await startFolder({ sea: answering('salt'), 'deep/sea bed': answering('sand') }, TLS)
    expect((await askThrough(server, 'sea')).stdout).toMatch(/salt$/)
    const vertex = await askThrough(server, 'deep%2Fsea%20bed', `https://${VERTEX}${PATH}`)
    expect(vertex.stdout).toMatch(/sand$/)
    expect(await verdict(server.url, 'sea')).toMatchObject({ ok: true })
    expect(await verdict(server.url, 'deep/sea%20bed')).toMatchObject({ ok: true })
    expect(await server.close()).toMatchObject({ played: 2, failures: [], notes: [] })
  })

  it('is one of a run of its own, where the user names one', async () => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    expect((await askThrough(server, 'sea%401')).stdout).toMatch(/salt$/)
    expect((await askThrough(server, 'sea%402:any-password')).stdout).toMatch(/salt$/)
    expect(await server.close()).toMatchObject({ replays: [{ name: 'sea@1' }, { name: 'sea@2' }] })
  })

  it('takes sockets as it takes requests', async () => {
    await using server = await startFolder({ talk: tape(SOCKET) }, TLS)
    const dispatcher = new ProxyAgent({
      uri: server.url.replace('//', '//talk:x@'),
      requestTls: { ca: readFileSync(server.caFile ?? '', 'utf8') },
    })
    onTestFinished(() => dispatcher.destroy())
    const client = new WebSocket(`wss://${DEVELOPER}${SOCKET_PATH}`, { dispatcher })
    client.addEventListener('open', () => client.send('{"setup":{"model":"models/m"}}'))
    const [{ code }] = (await once(client, 'close')) as [{ code: number }]
    expect(code).toBe(1000)
    expect(await verdict(server.url, 'talk')).toMatchObject({ ok: true, played: 1 })
  })

  it('leads an upload back to the cassette that it began in', async () => {
    const upload = (path: string, answer: string): string =>
      askedExchange(`response: { status: 200, ${answer} }\nend: {}\n`).replaceAll(PATH, path)
    const begins = upload(
      '/upload/v1beta/files',
      "headers: { x-goog-upload-url: 'https://upload.wiretape.invalid/upload/v1beta/files?upload_id=redacted-upload-id-1' }",
    )
    const goesOn = upload('/upload/v1beta/files?upload_id=redacted-upload-id-1', 'body: stored')
    await using server = await startFolder({ up: tape(begins, goesOn), other: answering('salt') }, TLS)
    const started = await askThrough(server, 'up', `https://${DEVELOPER}/upload/v1beta/files`)
    const [, address = ''] = /^x-goog-upload-url: (\S+)/im.exec(started.stdout) ?? []
    expect(address).toBe(`https://${DEVELOPER}/t/up/upload/v1beta/files?upload_id=redacted-upload-id-1`)
    expect((await askThrough(server, 'up', address)).stdout).toMatch(/stored$/)
    expect(await verdict(server.url, 'up')).toMatchObject({ ok: true, played: 2 })
  })

  it('is told the nearest names, where the user names no cassette', async () => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    expect((await askThrough(server, 'see')).stdout).toContain("Did you mean 'sea'?")
    const { failures } = await server.close()
    expect(failures).toMatchObject([{ code: 'WIRETAPE_CASSETTE_MISSING' }])
  })

  it('is told how to name one, where the proxy has no user', async () => {
    await using server = await startFolder({ 'deep/sea': answering('salt') }, TLS)
    const proxy = ['-v', '--proxy', server.url, '--cacert', server.caFile ?? '']
    const { code, stderr } = await curl(...proxy, '-d', BODY, `https://${DEVELOPER}${PATH}`)
    expect(code).toBe(56)
    expect(stderr).toContain(
      "HTTP/1.1 407 Wiretape: the proxy's user names the cassette: http://NAME@HOST:PORT",
    )
    const { failures } = await server.close()
    expect(failures).toMatchObject([{ code: 'WIRETAPE_USAGE' }])
    expect(failures[0]?.message).toContain("the proxy's user: 'http://deep%2Fsea@'")
  })

  it('is answered where a client names it only when it is asked', async () => {
    await using server = await startFolder({ 'deep/sea': answering('salt') }, TLS)
    const proxy = ['--proxy', server.url, '--proxy-anyauth', '--cacert', server.caFile ?? '']
    const asked = (user: string) =>
      curl('-v', ...proxy, '--proxy-user', user, '-d', BODY, `https://${DEVELOPER}${PATH}`)
    const { stdout, stderr } = await asked('deep/sea:x')
    expect(stdout).toBe('salt')
    expect(stderr).toContain('proxy-authenticate: Basic')
    expect((await asked('deep/sea@2:x')).stdout).toBe('salt')
    expect(await server.close()).toMatchObject({ played: 2, failures: [], notes: [] })
  })

  it('for an access token asks for no user', async () => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    const { stdout } = await askThrough(server, '', 'https://oauth2.googleapis.com/token')
    expect(stdout).toContain('replayed-by-wiretape')
    expect((await server.close()).failures).toEqual([])
  })

  it('to a host that is not the service is refused, and noted', async () => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    expect((await askThrough(server, 'sea', 'https://example.com/')).code).toBe(56)
    const why = 'replaying passes nothing through, and example.com is not on a recording'
    expect((await server.close()).notes).toEqual([`a tunnel to example.com was refused: ${why}`])
  })
})

describe('the same folder, without a tunnel', () => {
  it('answers at base URLs over TLS too', async () => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    const secure = server.url.replace('http:', 'https:')
    const asked = ['--cacert', server.caFile ?? '', '-d', BODY, `${secure}/t/sea${PATH}`]
    expect((await curl(...asked)).stdout).toBe('salt')
    expect(await verdict(server.url, 'sea')).toMatchObject({ ok: true })
  })

  it('answers through a proxy that is asked for everything, with a user and with a base URL', async () => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    const dispatcher = new ProxyAgent({ uri: server.url.replace('//', '//sea:x@') })
    onTestFinished(() => dispatcher.destroy())
    const { body } = await request(`${server.url}/t/sea${PATH}`, { method: 'POST', body: BODY, dispatcher })
    expect(await body.text()).toBe('salt')
  })
})

describe('who asks a folder for an access token', () => {
  it.each([
    ['at the port', '', '/.wiretape/token'],
    ['through the tunnel of a cassette', 'sea', 'https://oauth2.googleapis.com/token'],
    ['at the port, through its own proxy', 'sea', '/.wiretape/token'],
  ])('gets a placeholder %s, and it is no part of a replay', async (_, user, address) => {
    await using server = await startFolder({ sea: answering('salt') }, TLS)
    const whole = address.startsWith('/') ? `${server.url}${address}` : address
    const dispatcher = new ProxyAgent({
      uri: user === '' ? server.url : server.url.replace('//', `//${user}:x@`),
      requestTls: { ca: readFileSync(server.caFile ?? '', 'utf8') },
    })
    onTestFinished(() => dispatcher.destroy())
    const { body } = await request(whole, { method: 'POST', body: 'x=y', dispatcher })
    expect(await body.json()).toMatchObject({ access_token: 'replayed-by-wiretape' })
    expect(await server.close()).toMatchObject({ replays: [], failures: [], notes: [] })
  })
})

describe('the sides of the service', () => {
  it('are known from where cassettes begin, in any spelling of them; a broken one has none', async () => {
    const atVertex = answering('salt').replace(DEVELOPER, VERTEX)
    await using plain = await startFolder({ sea: answering('salt'), bad: 'url: {{{' })
    expect([...plain.sides()]).toEqual(['developer'])
    await using both = await startFolder({ sea: answering('salt'), land: atVertex })
    expect([...both.sides()].toSorted()).toEqual(['developer', 'vertex'])
    const flow = atVertex.replace(
      /request:\n {2}method: POST\n {2}url: (\S+)\n {2}body:/,
      (_, url: string) => `request: { method: POST, url: ${url} }\nnote:`,
    )
    await using flowing = await startFolder({ sea: flow })
    expect([...flowing.sides()]).toEqual(['vertex'])
  })
})
