/** What is published: the files, and what runs without anything else. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('holds these files and no others', () => {
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
  ) as [{ files: { path: string }[] }]
  // Parts of the build are named after their content.
  const names = files.map(({ path }) => path.replace(/-[\w-]{8}\.(js|d\.ts)$/, '-*.$1'))
  expect([...new Set(names)].toSorted()).toMatchSnapshot()
})

it('names each of its dependencies with the reason for it', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    object
  >
  const reasons = readFileSync('CONTRIBUTING.md', 'utf8')
  const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
    name => !reasons.includes(`\`${name}\``),
  )
  expect(missing).toEqual([])
})
