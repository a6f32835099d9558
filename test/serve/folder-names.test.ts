/** The names of a replayed folder's cassettes: how they are told, and what becomes of a request that names none. */
import { describe, expect, it } from 'vitest'
import { rawRequest } from '../peers/raw-client.ts'
import { answering, startFolder, verdict } from './folder-replaying.ts'
import { BODY, PATH } from './replaying.ts'

describe('the names that there are', () => {
  it('are told as JSON, and as text', async () => {
    await using server = await startFolder({ sea: answering('salt'), 'deep/sea bed': answering('sand') })
    const told = await fetch(`${server.url}/__wiretape__/`)
    expect(await told.json()).toMatchObject({ names: ['deep/sea bed', 'sea'] })
    const text = await fetch(`${server.url}/__wiretape__/`, { headers: { accept: 'text/plain' } })
    expect(await text.text()).toBe('deep/sea bed\nsea\n')
    expect((await fetch(`${server.url}/__wiretape__/`, { method: 'POST' })).status).toBe(405)
    expect(await server.close()).toMatchObject({ replays: [], failures: [] })
  })
})

describe('a request for no cassette', () => {
  it('is refused with the nearest names, and fails the whole', async () => {
    await using server = await startFolder({ 'sea/salty': answering('salt'), land: answering('sand') })
    const response = await fetch(`${server.url}/t/sea/slaty@1${PATH}`, { method: 'POST', body: BODY })
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toContain("Did you mean 'sea/salty'?")
    expect(text).toContain('wiretape record')
    expect(await server.close()).toMatchObject({
      replays: [],
      failures: [{ code: 'WIRETAPE_CASSETTE_MISSING' }],
    })
  })

  it('is told names that there are, where none is near', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    await using server = await startFolder(Object.fromEntries(names.map(name => [name, answering('salt')])))
    const response = await fetch(`${server.url}/t/greeting${PATH}`, { method: 'POST', body: BODY })
    const text = await response.text()
    expect(text).toContain("There are 'a', 'b', 'c', 'd', 'e' and 2 more: GET /__wiretape__/ lists them.")
    expect(text).not.toContain('Did you mean')
  })

  it.each([
    ['greeting', ['deep/greeting']],
    ['shallow/greting', ['deep/greeting']],
    ['deep', ['deep/greeting']],
    ['sea', []],
  ])('means what is near, folders in front or not: %s', async (asked, nearest) => {
    await using server = await startFolder({ 'deep/greeting': answering('salt'), land: answering('sand') })
    expect(await verdict(server.url, asked)).toMatchObject({ details: { nearest } })
  })

  it('is told where base URLs are, where it names none at all', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    const response = await fetch(`${server.url}${PATH}&key=AIzaSyA1234567890abcdefghijklmnopqrstuvw`, {
      method: 'POST',
    })
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toContain("'/t/sea' behind it")
    expect(text).not.toContain('AIza')
    const { failures } = await server.close()
    expect(failures).toMatchObject([{ code: 'WIRETAPE_USAGE' }])
  })

  it('is a 404 where a verdict is asked for, which fails nothing', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    const response = await fetch(`${server.url}/__wiretape__/see`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ ok: false, details: { nearest: ['sea'] } })
    expect((await fetch(`${server.url}/__wiretape__/sea`, { method: 'PUT' })).status).toBe(405)
    expect(await server.close()).toMatchObject({ replays: [], failures: [] })
  })

  it('is refused under a name that is not of this machine', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    for (const path of ['/t/sea/v1', '/__wiretape__/sea']) {
      // oxlint-disable-next-line no-await-in-loop
      const { status, body } = await rawRequest(server.url, {
        method: 'GET',
        path,
        headers: { host: 'evil.example' },
      })
      expect(status).toBe(400)
      expect(body.toString()).toContain('127.0.0.1 and localhost only')
    }
  })
})
