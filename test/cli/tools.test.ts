/** `wiretape lint`, `pack` and `unpack`, as a shell runs them. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, wiretape } from './spawned.ts'

const root = resolve(import.meta.dirname, '../..')

/** A folder with one of the shipped cassettes and its blobs in it. */
function folder(): string {
  const path = emptyFolder()
  for (const name of ['live-audio-turn.cassette.yaml', 'live-audio-turn.cassette.blobs']) {
    cpSync(join(root, 'cassettes', name), join(path, name), { recursive: true })
  }
  return path
}

describe('lint', () => {
  it('returns 0 where there is nothing to say', async () => {
    expect(await wiretape(['lint', 'cassettes'], { cwd: root })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Nothing found in \d+ cassettes\.\n$/) as string,
      stderr: '',
    })
  })

  it('returns 1 with a line for each finding, with file and line, and where a file can not be read', async () => {
    const names = ['step-not-started', 'format', 'blob-unused']
    const { code, stdout, stderr } = await wiretape(['lint', ...names.map(name => `${name}.cassette.yaml`)], {
      cwd: join(root, 'test/lint'),
    })
    expect(stdout).toMatchInlineSnapshot(`
      "step-not-started.cassette.yaml:17: exchange 1: \`step.delta\` for step 1, which is not started  step-not-started
      format.cassette.yaml:11:3: \`response\` has an unknown key: \`statsu\`  format
          10 | response:
        > 11 |   statsu: 200
             |   ^
          12 |   headers: { content-type: text/event-stream }
        Expected \`at\`, \`status\`, \`reason\`, \`headers\`, \`cuts\`, \`body\`, \`body-base64\`, \`events\` or \`trailers\`.

        Did you mean \`status\`?
      blob-unused.cassette.yaml:1: the blob \`lock.png\` is in no exchange's \`blobs\`  blob-unused
      3 findings in 3 cassettes. See docs/lint.md.
      "
    `)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  })

  it('prints lines of JSON', async () => {
    const { code, stdout } = await wiretape(['lint', 'usage-missing.cassette.yaml', '--json'], {
      cwd: join(root, 'test/lint'),
    })
    expect(stdout).toMatchInlineSnapshot(`
      "{"type":"finding","check":"usage-missing","line":3,"exchange":1,"message":"the answer has no \`usageMetadata\`","file":"usage-missing.cassette.yaml"}
      {"type":"summary","cassettes":1,"findings":1}
      "
    `)
    expect(code).toBe(1)
  })

  it.each([
    [['lint'], 'Usage: wiretape lint FILE|FOLDER… [options]'],
    [['lint', 'away'], 'There is nothing at away.'],
    [['lint', '.'], 'There is no cassette in .'],
    [['lint', 'live-audio-trun.yaml'], 'Did you mean live-audio-turn.cassette.yaml?'],
  ])('returns 2 where it is held wrong: %j', async (words, says) => {
    const cwd = words[1] === '.' ? emptyFolder() : folder()
    const { code, stdout, stderr } = await wiretape(words, { cwd })
    expect(stderr).toContain(says)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})

describe('a cassette that is only to be looked at, and is not there', () => {
  it.each(['show', 'pack', 'unpack'])('is not to be recorded by %s', async command => {
    const told = async (file: string) => (await wiretape([command, file], { cwd: folder() })).stderr
    expect(await told('away.yaml')).toBe(
      'WIRETAPE_CASSETTE_MISSING\n  There is no cassette at away.yaml.\n\n  Name one that is there.\n',
    )
    expect(await told('./live-audio-turm.cassette.yaml')).toContain(
      '\n  Did you mean live-audio-turn.cassette.yaml?\n',
    )
  })
})

describe('pack and unpack', () => {
  it('make one file of a cassette and its sound, and give it back byte for byte', async () => {
    const cwd = folder()
    const packed = await wiretape(['pack', 'live-audio-turn.cassette.yaml'], { cwd })
    expect(packed).toMatchObject({ code: 0, stderr: '' })
    expect(packed.stdout).toMatchInlineSnapshot(`
      "Packed live-audio-turn.packed.cassette.yaml: 1 exchange, 2 blobs of 20.8 kB.
      "
    `)
    const there = emptyFolder()
    cpSync(join(cwd, 'live-audio-turn.packed.cassette.yaml'), join(there, 'bug.packed.cassette.yaml'))
    const unpacked = await wiretape(['unpack', 'bug.packed.cassette.yaml'], { cwd: there })
    expect(unpacked.stdout).toMatchInlineSnapshot(`
      "Unpacked bug.cassette.yaml: 1 exchange, 2 blobs of 20.8 kB.
      "
    `)
    for (const path of ['.yaml', '.blobs/1-client.pcm', '.blobs/1-server.pcm']) {
      expect(readFileSync(join(there, `bug.cassette${path}`))).toEqual(
        readFileSync(join(cwd, `live-audio-turn.cassette${path}`)),
      )
    }
  })

  it('make a file that is shown and linted as what it was made of', async () => {
    const cwd = folder()
    await wiretape(['pack', 'live-audio-turn.cassette.yaml', '-o', 'one.cassette.yaml'], { cwd })
    const [before, after] = await Promise.all(
      ['live-audio-turn', 'one'].map(name => wiretape(['show', `${name}.cassette.yaml`], { cwd })),
    )
    expect(after?.stdout.split('\n').slice(1)).toEqual(before?.stdout.split('\n').slice(1))
    expect((await wiretape(['lint', 'one.cassette.yaml'], { cwd })).code).toBe(0)
  })

  it('make a file that is replayed by the command in its comment', async () => {
    const cwd = emptyFolder()
    cpSync(join(root, 'cassettes/unknown-model-404.cassette.yaml'), join(cwd, 'a.cassette.yaml'))
    await wiretape(['pack', 'a.cassette.yaml'], { cwd })
    const comment = readFileSync(join(cwd, 'a.packed.cassette.yaml'), 'utf8')
    const [, ...words] = /npx (wiretape replay \S+)/.exec(comment)?.[1]?.split(' ') ?? []
    const app = `const { GOOGLE_GEMINI_BASE_URL: url } = process.env
      fetch(url + '/v1/models/' + process.argv[1], { method: 'POST', body: process.argv[2] }).then(a => console.log(a.status))`
    const text = readFileSync(join(cwd, 'a.cassette.yaml'), 'utf8')
    const model = /models\/(\S+)/.exec(text)?.[1] ?? ''
    const body = JSON.stringify({
      contents: [{ parts: [{ text: /text: "([^"]*)"/.exec(text)?.[1] }], role: 'user' }],
    })
    const { code, stdout, stderr } = await wiretape(
      [...words, '--', process.execPath, '-e', app, model, body],
      { cwd },
    )
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '404\n' })
  })

  it.each([
    [['pack', 'live-audio-turn.packed.cassette.yaml'], 'is packed already'],
    [['unpack', 'live-audio-turn.cassette.yaml'], 'is not packed'],
    [['pack', 'live-audio-turn.cassette.yaml'], 'exists already'],
    [['pack', 'live-audio-turn.cassette.yaml', '-o', 'live-audio-turn.cassette.yaml'], 'it is made of'],
    [['pack'], 'Usage: wiretape pack FILE [options]'],
  ])('return 2 where they are held wrong: %j', async (words, says) => {
    const cwd = folder()
    await wiretape(['pack', 'live-audio-turn.cassette.yaml'], { cwd })
    const { code, stdout, stderr } = await wiretape(words, { cwd })
    expect(stderr).toContain(says)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('return 1 for a secret that can not be replaced, and do not tell it', async () => {
    const cwd = folder()
    const blob = join(cwd, 'live-audio-turn.cassette.blobs/1-client.pcm')
    const bytes = readFileSync(blob)
    bytes.write([' AIza', 'Sy0123456789abcdefghijklmnopqrstuvw '].join(''), 100, 'latin1')
    writeFileSync(blob, bytes)
    const { code, stdout, stderr } = await wiretape(['pack', 'live-audio-turn.cassette.yaml'], { cwd })
    expect(stderr).toMatchInlineSnapshot(`
      "WIRETAPE_SECRET
        A secret of the kind 'api-key' is in the blob 1-client.pcm of live-audio-turn.cassette.yaml, where it can't be replaced. Nothing was packed.

        Take it out by hand, or record again without it.
      "
    `)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})
