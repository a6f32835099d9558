/** Every link from one of our pages to another leads to a file that is there, and to a heading that it has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'examples/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => join('docs', path)),
]

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')
const textOf = (page: string): string => withoutCode(readFileSync(join(ROOT, page), 'utf8'))

/** The anchors that GitHub gives a page's headings. */
function anchorsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function isThere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, file))) return false
  return anchor === undefined || anchorsOf(file).includes(anchor)
}

describe.each(PAGES)('%s', page => {
  it('has links that lead somewhere', () => {
    const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter(target => !/^https?:/.test(target))
    expect(targets.filter(target => !isThere(page, target))).toEqual([])
  })
})

it('has a page in the README for every page of docs', () => {
  const readme = textOf('README.md')
  const pages = readdirSync(join(ROOT, 'docs')).filter(path => path.endsWith('.md'))
  expect(pages.filter(path => !readme.includes(`docs/${path}`))).toEqual([])
})

it('has a line in the list of decisions for every decision', () => {
  const list = textOf('docs/decisions/README.md')
  const notes = readdirSync(join(ROOT, 'docs/decisions')).filter(path => /^\d/.test(path))
  expect(notes.filter(path => !list.includes(`](${path})`))).toEqual([])
})
