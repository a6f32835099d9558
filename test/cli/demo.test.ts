/** `wiretape demo`: that it succeeds, and that it would not if anything were otherwise. */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FETCH_CLIENTS, installedClients } from '../../src/cli/demo-client.ts'
import { demo, type DemoOptions } from '../../src/cli/demo.ts'
import { relayTo } from './relay.ts'
import { emptyFolder, start, wiretape } from './spawned.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Runs the demo in this process. Returns its exit code and its last line. */
async function runDemo(options: DemoOptions): Promise<{ code: number; last: string; text: string }> {
  let text = ''
  const stdout = { write: (piece: string) => (text += piece) }
  const code = await demo({ stdout, stderr: stdout, env: { TMPDIR: emptyFolder() } }, options)
  return { code, text, last: text.trimEnd().split('\n').at(-1) ?? '' }
}

describe('the command', () => {
  it('records and replays with the official SDK, and says where the cassette is', async () => {
    const { code, stdout, stderr } = await wiretape(['demo'], { env: { TMPDIR: emptyFolder() } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const file = /(\S+)\n$/.exec(stdout)?.[1] ?? ''
    expect(readFileSync(file, 'utf8')).toContain('exchange: interactions')
    expect(stdout.replaceAll(file, 'FILE')).toMatchInlineSnapshot(`
      "Recording what an app does with @google/genai; a replay of shipped cassettes plays the service.

      recorded:
        stream        Why is the sea salty?
                      Rivers dissolve minerals from rock and carry them to the sea, where the sun lifts the water away and leaves the salt behind. (4 events)
        tool turn     When is high tide in Whitby?
                      get_tide({"harbour":"Whitby"}), signed Q2k0QmEg… (80 characters)
                      High tide in Whitby is at 16:42, at 5.4 metres.
        interactions  When is high tide in Whitby?
                      The tide table has the answer, so I should look it up.
                      get_tide({"harbour":"Whitby"}), signed Q2lRQiBh… (64 characters)
                      High tide in Whitby is at 16:42, at 5.4 metres.
        live          Tell me the history of the lighthouse at Flamborough Head.
                      The first tower on the headland was built of chalk in the seventeenth century, and nobody knows whether [interrupted]
                      Stop. Just the year it was lit.
                      1806.
        200 OK, text/event-stream, 1.4 kB, sha256 2bf84850f8b5
        200 OK, application/json; charset=UTF-8, 882 B, sha256 bab11da45bd8
        200 OK, application/json; charset=UTF-8, 630 B, sha256 f5b95282cb86
        200 OK, text/event-stream, 1.8 kB, sha256 07658280b07c
        200 OK, text/event-stream, 1.2 kB, sha256 43fac601f971
        101 Switching Protocols, WebSocket, 1.5 kB, sha256 a3174625d576

      replayed:
        stream        Why is the sea salty?
                      Rivers dissolve minerals from rock and carry them to the sea, where the sun lifts the water away and leaves the salt behind. (4 events)
        tool turn     When is high tide in Whitby?
                      get_tide({"harbour":"Whitby"}), signed Q2k0QmEg… (80 characters)
                      High tide in Whitby is at 16:42, at 5.4 metres.
        interactions  When is high tide in Whitby?
                      The tide table has the answer, so I should look it up.
                      get_tide({"harbour":"Whitby"}), signed Q2lRQiBh… (64 characters)
                      High tide in Whitby is at 16:42, at 5.4 metres.
        live          Tell me the history of the lighthouse at Flamborough Head.
                      The first tower on the headland was built of chalk in the seventeenth century, and nobody knows whether [interrupted]
                      Stop. Just the year it was lit.
                      1806.
        200 OK, text/event-stream, 1.4 kB, sha256 2bf84850f8b5
        200 OK, application/json; charset=UTF-8, 882 B, sha256 bab11da45bd8
        200 OK, application/json; charset=UTF-8, 630 B, sha256 f5b95282cb86
        200 OK, text/event-stream, 1.8 kB, sha256 07658280b07c
        200 OK, text/event-stream, 1.2 kB, sha256 43fac601f971
        101 Switching Protocols, WebSocket, 1.5 kB, sha256 a3174625d576

      Both transcripts are identical: 6 answers, 7.4 kB. FILE
      "
    `)
  })

  it('does the same with fetch where there is nothing but the package', async () => {
    const folder = emptyFolder()
    for (const part of ['dist', 'cassettes', 'package.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    mkdirSync(join(folder, 'node_modules'))
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: object
    }
    for (const name of Object.keys(dependencies)) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
    }
    const running = start(['demo'], {
      cwd: folder,
      cli: join(folder, 'dist/cli.js'),
      env: { TMPDIR: folder },
    })
    const { code, stdout } = await running.ended
    expect(stdout).toMatch(/^Recording what an app does with fetch;/)
    expect(stdout).toMatch(/\nBoth transcripts are identical: 6 answers, .*\.cassette\.yaml\n$/)
    expect(code).toBe(0)
  })
})

describe.each([
  { client: '@google/genai', clients: await installedClients() },
  { client: 'fetch', clients: FETCH_CLIENTS },
])('with $client', ({ client, clients }) => {
  it('finds both runs identical', async () => {
    expect(clients.name).toBe(client)
    const { code, last } = await runDemo({ clients })
    expect(last).toContain('Both transcripts are identical')
    expect(code).toBe(0)
  })

  it.each(['recording', 'replaying'] as const)('is not disturbed by a relay while %s', async side => {
    const { last } = await runDemo({
      clients,
      route: (during, url) => (during === side ? relayTo(url, 0, body => body) : url),
    })
    expect(last).toContain('Both transcripts are identical')
  })

  const changes = {
    'another letter': (body: Buffer) => Buffer.from(body.toString().replace('text', 'texu')),
    'a blank that changes no value': (body: Buffer) => Buffer.from(body.toString().replace('":', '": ')),
    'a last byte that is missing': (body: Buffer) => body.subarray(0, -1),
  }
  const tampered = (['recording', 'replaying'] as const).flatMap(side =>
    Object.keys(changes).flatMap(change => [1, 3, 5, 6].map(number => ({ side, change, number }))),
  )
  it.each(tampered)('fails if answer $number has $change while $side', async ({ side, change, number }) => {
    const { code, last } = await runDemo({
      clients,
      route: (run, url) =>
        run === side ? relayTo(url, number, changes[change as keyof typeof changes]) : url,
    })
    expect(last).toContain('The transcripts are different')
    expect(code).toBe(1)
  })
})
