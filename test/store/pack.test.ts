/** Packing on disk: what goes out is redacted once more, and replaces nothing unless that is asked for. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { lintFile } from '../../src/store/lint.ts'
import { packCassette, unpackCassette } from '../../src/store/pack.ts'
import { emptyFolder } from '../cli/spawned.ts'

const CASSETTE = `cassette: 1
---
exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1/models/gemini-2.5-flash:generateContent
  body:
    contents:
      - parts: [{ text: What is this? }, { inlineData: { mimeType: image/png, data: "blob:lock.png@0+6" } }]
        role: user
response:
  status: 200
  headers: { content-type: application/json; charset=UTF-8 }
  body:
    candidates: [{ content: { parts: [{ text: A lock. }], role: model }, finishReason: STOP }]
    usageMetadata: { totalTokenCount: 9 }
blobs: { lock.png: 6 }
end: {}
`
const PNG = Buffer.from('\u0089PNG\r\n', 'latin1')

/** The path of a cassette with its blob, in a folder of its own. */
function cassette(text = CASSETTE, blob: Uint8Array = PNG): string {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'lock.cassette.blobs'))
  writeFileSync(join(folder, 'lock.cassette.blobs/lock.png'), blob)
  writeFileSync(join(folder, 'lock.cassette.yaml'), text)
  return join(folder, 'lock.cassette.yaml')
}

const refuse = { existing: 'refuse' } as const

describe('packing', () => {
  it('makes one file, from which the cassette and its folder come back byte for byte', async () => {
    const file = cassette()
    const packed = await packCassette(file, refuse)
    expect(packed).toEqual({
      file: file.replace('.cassette', '.packed.cassette'),
      exchanges: 1,
      blobs: 1,
      bytes: 6,
      secrets: 0,
    })
    const elsewhere = join(emptyFolder(), 'lock.packed.cassette.yaml')
    writeFileSync(elsewhere, readFileSync(packed.file))
    const { file: unpacked } = await unpackCassette(elsewhere, refuse)
    expect(unpacked).toBe(elsewhere.replace('.packed', ''))
    expect(readFileSync(unpacked, 'utf8')).toBe(CASSETTE)
    const folder = unpacked.replace('.yaml', '.blobs')
    expect(readdirSync(folder)).toEqual(['lock.png'])
    expect(readFileSync(join(folder, 'lock.png'))).toEqual(PNG)
  })

  it('gives a file that is replayed and linted with nothing beside it', async () => {
    const { file } = await packCassette(cassette(), refuse)
    const alone = join(emptyFolder(), 'alone.cassette.yaml')
    writeFileSync(alone, readFileSync(file))
    expect((await lintFile(alone)).findings).toEqual([])
    const server = await createReplayServer({ files: [alone] })
    const response = await fetch(`${server.url}/v1/models/gemini-2.5-flash:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        contents: [
          {
            parts: [
              { text: 'What is this?' },
              { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } },
            ],
            role: 'user',
          },
        ],
      }),
    })
    expect(await response.json()).toMatchObject({ usageMetadata: { totalTokenCount: 9 } })
    const { failures, leftovers } = await server.close()
    expect({ failures, leftovers }).toEqual({ failures: [], leftovers: [] })
  })

  it('replaces what is there only if that is asked for, and never what it is made of', async () => {
    const file = cassette()
    const output = file.replace('.cassette', '.packed.cassette')
    writeFileSync(output, 'mine')
    await expect(packCassette(file, refuse)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    expect(readFileSync(output, 'utf8')).toBe('mine')
    await packCassette(file, { existing: 'overwrite' })
    expect(readFileSync(output, 'utf8')).toContain(CASSETTE)
    const itself = packCassette(file, { existing: 'overwrite', output: file })
    await expect(itself).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    expect(readFileSync(file, 'utf8')).toBe(CASSETTE)
  })

  it('refuses what is packed already, and unpacking what is not', async () => {
    const file = cassette()
    const { file: packed } = await packCassette(file, refuse)
    await expect(packCassette(packed, refuse)).rejects.toThrow('is packed already')
    await expect(unpackCassette(file, refuse)).rejects.toThrow('is not packed')
  })

  it('refuses a cassette without its blobs', async () => {
    const file = join(emptyFolder(), 'a.cassette.yaml')
    writeFileSync(file, CASSETTE)
    await expect(packCassette(file, refuse)).rejects.toMatchObject({ code: 'WIRETAPE_CASSETTE_INVALID' })
  })
})

describe('a secret', () => {
  /** Put together here: no file may hold what looks like a key. */
  const key = ['AIza', 'Sy0123456789abcdefghijklmnopqrstuvw'].join('')

  it('is replaced on the way, with a placeholder that nothing else has', async () => {
    const text = CASSETTE.replace(':generateContent', `:generateContent?key=${key}`)
      .replace('What is this?', `redacted-api-key-1 or ${key}?`)
      .replace('cassette: 1', `# The key is ${key}.\ncassette: 1`)
    const { file, secrets } = await packCassette(cassette(text), refuse)
    const packed = readFileSync(file, 'utf8')
    expect(packed).not.toContain(key)
    expect(packed).toContain('text: redacted-api-key-1 or redacted-api-key-2?')
    expect(packed).toContain('# The key is redacted-api-key-2.')
    expect(packed).toContain('?key=redacted-api-key-2')
    expect(secrets).toBe(3)
  })

  it('that is known by its place alone is replaced wherever it stands', async () => {
    const text = CASSETTE.replace(':generateContent', ':generateContent?key=opensesame-4711').replace(
      'What is this?',
      'opensesame-4711',
    )
    const { file } = await packCassette(cassette(text), refuse)
    expect(readFileSync(file, 'utf8')).not.toContain('opensesame')
  })

  it.each([
    ['in a blob', cassette, CASSETTE.replace('0+6', '0+39').replace('png: 6', 'png: 39'), Buffer.from(key)],
    ['where YAML hides it', cassette, CASSETTE.replace('role: user', 'private_key: opensesame-4711'), PNG],
    [
      'inside base64',
      cassette,
      CASSETTE.replace('What is this?', Buffer.from(`the key is ${key}, is it?`).toString('base64')),
      PNG,
    ],
  ])('that can not be replaced stops it: %s', async (_where, make, text, blob) => {
    const file = make(text, blob)
    const packing = packCassette(file, refuse)
    await expect(packing).rejects.toMatchObject({ code: 'WIRETAPE_SECRET' })
    await expect(packing).rejects.not.toThrow(key)
    expect(existsSync(file.replace('.cassette', '.packed.cassette'))).toBe(false)
  })
})
