/** What `docs/other-languages.md` shows is what `examples/` holds, and what a shell can be told runs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { wiretape } from '../cli/spawned.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/other-languages.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}))
const examples = readdirSync(join(root, 'examples'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.(?:py|java|go)$/.test(entry.name))
  .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

describe('the page on other languages', () => {
  it.each(blocks.filter(({ language }) => language !== 'sh'))(
    'shows $language as it is in the examples',
    ({ code }) => {
      expect(examples.some(text => text.includes(code))).toBe(true)
    },
  )

  it('shows a request and a verdict that a shell can ask for', async () => {
    const asking = blocks.filter(({ language, code }) => language === 'sh' && code.includes('curl'))
    expect(asking).toHaveLength(1)
    const script = asking[0]?.code ?? ''
    const replay = (text: string) =>
      wiretape(['replay', 'examples/cassettes', '--', 'sh', '-c', text], { cwd: root })
    const right = await replay(script)
    expect(right.stdout).toContain('Hello there.')
    expect(right.code).toBe(0)
    const wrong = await replay(script.replace('Say hello.', 'Say goodbye.'))
    expect(wrong.stderr).toContain('received: "Say goodbye."')
    expect(wrong.code).toBe(1)
  })
})

describe('the conftest of the pytest example', () => {
  it('is ten lines of code', () => {
    const text = readFileSync(join(root, 'examples/pytest/conftest.py'), 'utf8').replace(/^"""[^]*?"""/, '')
    expect(text.split('\n').filter(line => line.trim() !== '')).toHaveLength(10)
  })
})

describe('the cassettes of the examples', () => {
  it('have nothing that lint would object to', async () => {
    const { code, stdout } = await wiretape(['lint', 'examples'], { cwd: root })
    expect(stdout).toBe('Nothing found in 4 cassettes.\n')
    expect(code).toBe(0)
  })
})
