/**
 * What lint finds: each check has a cassette in `test/lint/` of its name, in which it finds something and
 * no other check does.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CASSETTE_CHECKS } from '../../src/cassette/lint.ts'
import { CHECKS } from '../../src/dialect/checks.ts'
import { findCassettes } from '../../src/store/find.ts'
import { lintFile } from '../../src/store/lint.ts'
import { emptyFolder } from '../cli/spawned.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = resolve(root, 'test/lint')
const names = [...CASSETTE_CHECKS, ...CHECKS.map(({ name }) => name)]

function fileOf(name: string): string {
  return join(folder, `${name}.cassette.yaml`)
}

/** The file of a check, changed: what is found in it then, by check and line. */
async function findings(name: string, change: (text: string) => string): Promise<string[]> {
  const file = join(emptyFolder(), 'changed.cassette.yaml')
  writeFileSync(file, change(readFileSync(fileOf(name), 'utf8')))
  return (await lintFile(file)).findings.map(({ check, line }) => `${check} ${line}`)
}

describe('each check', () => {
  it.each(names)('finds what it is for, and no other finds anything: %s', async name => {
    const { findings: found } = await lintFile(fileOf(name))
    expect(found.map(({ check }) => check)).toEqual([name])
  })

  it.each(CHECKS.map(({ name }) => name))('can be allowed on its exchange: %s', async name => {
    expect(
      await findings(name, text => text.replace(/^exchange: .*$/m, `$&\nx-lint-allow: [${name}]`)),
    ).toEqual([])
  })

  it('has a cassette and a row in docs/lint.md, in the order of the code', () => {
    const rows = [...readFileSync(resolve(root, 'docs/lint.md'), 'utf8').matchAll(/^\| `([a-z-]+)` \|/gm)]
    expect(rows.map(([, name]) => name)).toEqual(names)
    const files = readdirSync(folder).flatMap(file => /^(.*)\.cassette\.yaml$/.exec(file)?.[1] ?? [])
    expect(files.toSorted()).toEqual(names.toSorted())
  })
})

describe('where it is not so', () => {
  it.each([
    // A stream that did not end well need not end as one that did.
    ['finish-reason-missing', 'end: {}', 'end: { how: upstream-reset }'],
    [
      'finish-reason-missing',
      '"usageMetadata"',
      '"promptFeedback": {"blockReason": "SAFETY"},"usageMetadata"',
    ],
    ['interactions-done-missing', 'end: {}', 'end: { how: client-abort }'],
    ['step-not-stopped', 'end: {}', 'end: { how: truncated }'],
    ['model-stream-framing', '": keep-alive\\r\\n\\r\\n"', '\'{"error": {"code": 499}}\''],
    ['close-code-unseen', 'by: server', 'by: client'],
    ['handle-not-asked', 'generationConfig:', 'sessionResumption: {}\n        generationConfig:'],
    ['body-not-json', 'end: {}', 'end: { how: truncated }'],
    ['error-status', 'status: 500', 'status: 503'],
    ['usage-missing', 'end: {}', 'end: { how: truncated }'],
    // A header begins a new day.
    [
      'time-order',
      '---\nexchange: generate-content\nat: 400',
      '---\ncassette: 1\n---\nexchange: generate-content\nat: 400',
    ],
  ])('finds nothing: %s, %s', async (name, from, to) => {
    const found = await findings(name, text => text.replace(from, to))
    expect(found).toEqual([])
  })

  it('lets a stream that is taken up again begin anywhere', async () => {
    const again = (text: string) =>
      text
        .replace('method: POST', 'method: GET')
        .replace('/interactions\n', '/interactions/v1_lock?stream=true\n')
        .replace(/\n {2}body: .*$/m, '')
    expect(await findings('interactions-created-first', again)).toEqual([])
    expect(await findings('step-not-started', again)).toEqual([])
  })
})

describe('a finding', () => {
  it('names the line of its event or message', async () => {
    const [found] = (await lintFile(fileOf('cancel-unknown-call'))).findings
    expect(found).toEqual({
      check: 'cancel-unknown-call',
      file: fileOf('cancel-unknown-call'),
      line: 18,
      exchange: 1,
      message: 'cancels `f2`, which was not called before',
    })
  })

  it('that is not allowed stays, beside one that is', async () => {
    const both = (text: string) =>
      text
        .replace('"finishReason": "STOP"', '"finishReason": "STOPPED"')
        .replace('exchange: generate-content', '$&\nx-lint-allow: [usage-missing]')
    expect(await findings('usage-missing', both)).toEqual(['finish-reason-unknown 15'])
  })
})

describe('secrets', () => {
  /** Put together here: no file may hold what looks like a key. */
  const key = ['AIza', 'Sy0123456789abcdefghijklmnopqrstuvw'].join('')
  const clean = (text: string) => text.replace('&key=made-up', '')

  it.each([
    ['in a comment', (text: string) => clean(text).replace('---\n', `# ${key}\n---\n`), ['secret 2']],
    ['in a prompt', (text: string) => clean(text).replace('How deep', `${key} How deep`), ['secret 9']],
    [
      'in a value that YAML spells without quotes',
      (text: string) => clean(text).replace('    contents:', `    private_key: abcdefgh\n    contents:`),
      ['secret 3'],
    ],
    [
      'as a header, which is also one that no recording keeps',
      (text: string) =>
        clean(text).replace('  body:', '  headers: { authorization: Bearer abc123defghi456 }\n  body:'),
      ['header-dropped 3', 'secret 7'],
    ],
    ['nowhere', clean, []],
    ['nowhere, but as placeholders', (text: string) => text.replace('made-up', 'redacted-api-key-1'), []],
  ])('are found %s', async (_where, change, expected) => {
    expect((await findings('secret', change)).toSorted()).toEqual(expected)
  })

  it('are found in blobs', async () => {
    const file = join(emptyFolder(), 'a.cassette.yaml')
    writeFileSync(file, clean(readFileSync(fileOf('secret'), 'utf8')))
    mkdirSync(file.replace('.yaml', '.blobs'))
    writeFileSync(join(file.replace('.yaml', '.blobs'), 'a.txt'), `the key: ${key}\n`)
    const { findings: found } = await lintFile(file)
    expect(found.map(({ check, message }) => `${check}: ${message}`)).toEqual([
      'secret: a secret of the kind `api-key` in the blob `a.txt`',
      "blob-unused: the blob `a.txt` is in no exchange's `blobs`",
    ])
    expect(JSON.stringify(found)).not.toContain(key)
  })
})

describe('blobs', () => {
  const upload = (reference: string, length: number) => `cassette: 1
---
exchange: unknown
request:
  method: POST
  url: https://a.example/upload
  body-base64: ${reference}
response:
  status: 200
  body: '{"key": "value"}'
blobs: { a.bin: ${length} }
end: {}
`

  it.each([
    ['"blob:a.bin@0+4"', 4, []],
    ['"blob:a.bin@0+4"', 5, ['blob-missing: the blob `a.bin` has 4 bytes, and 5 are listed']],
    ['AAAA', 4, ['blob-unused: the blob `a.bin` is listed, and nothing refers to it']],
  ])('are held against the list and the payloads: %s of %i', async (reference, length, expected) => {
    const file = join(emptyFolder(), 'a.cassette.yaml')
    writeFileSync(file, upload(reference, length))
    mkdirSync(file.replace('.yaml', '.blobs'))
    writeFileSync(join(file.replace('.yaml', '.blobs'), 'a.bin'), 'abcd')
    const { findings: found } = await lintFile(file)
    expect(found.map(({ check, message }) => `${check}: ${message}`)).toEqual(expected)
  })
})

describe('paths', () => {
  it('are files, and folders however deep, each file once', () => {
    const found = findCassettes([
      resolve(root, 'cassettes'),
      resolve(root, 'cassettes/quota-429.cassette.yaml'),
    ])
    expect(found).toContain(resolve(root, 'cassettes/cases/chat-wrapper-mixed-turn.cassette.yaml'))
    expect(new Set(found).size).toBe(found.length)
  })

  it('that name nothing are wrong use', () => {
    expect(() => findCassettes([join(root, 'no-such-folder')])).toThrow('There is nothing at')
    expect(() => findCassettes([emptyFolder()])).toThrow('There is no cassette in')
  })
})

it('finds nothing in the shipped cassettes', async () => {
  const linted = await Promise.all(findCassettes([resolve(root, 'cassettes')]).map(file => lintFile(file)))
  expect(linted.flatMap(({ findings: found }) => found)).toEqual([])
})
