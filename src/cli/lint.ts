/**
 * `wiretape lint`: what is wrong with cassettes, a line for each finding.
 *
 * Room: cli.
 */
import type { Finding } from '../cassette/lint.ts'
import type { LintedFile } from '../store/lint.ts'
import type { LintInvocation } from './invocation.ts'
import { openJsonLines } from './json-lines.ts'
import { count, painter, type Paint, type Surroundings } from './output.ts'

/** Lints. Returns 1 where something was found. Throws `WIRETAPE_USAGE` for paths that name no cassette. */
export async function lint({ paths, json }: LintInvocation, { stdout, env }: Surroundings): Promise<number> {
  const [{ findCassettes }, { lintFile }] = await Promise.all([
    import('../store/find.ts'),
    import('../store/lint.ts'),
  ])
  const files = findCassettes(paths)
  const lines = openJsonLines(json, stdout)
  const paint = painter(stdout, env)
  let found = 0
  for (const file of files) {
    // One after the other: a folder of recordings with sound would not fit into memory at once.
    // oxlint-disable-next-line no-await-in-loop
    const linted = await lintFile(file)
    found += linted.findings.length
    for (const finding of linted.findings) lines.print({ type: 'finding', ...finding })
    if (json === undefined) stdout.write(findingsText(linted, paint))
  }
  lines.print({ type: 'summary', cassettes: files.length, findings: found })
  lines.close()
  if (json === undefined) stdout.write(summary(files.length, found, paint))
  return found === 0 ? 0 : 1
}

function findingsText({ findings, unreadable }: LintedFile, paint: Paint): string {
  if (unreadable !== undefined) {
    const [first = '', ...rest] = unreadable.trimEnd().split('\n')
    const more = rest.map(line => (line === '' ? '' : `  ${line}`)).join('\n')
    return `${first}  ${paint('red', 'format')}\n${more}\n`
  }
  return findings.map(finding => `${findingLine(finding, paint)}\n`).join('')
}

/** In the form that editors and CI know: file, line, message. */
function findingLine({ file, line, exchange, message, check }: Finding, paint: Paint): string {
  const where = exchange === undefined ? '' : `exchange ${exchange}: `
  return `${file}:${line}: ${where}${message}  ${paint('red', check)}`
}

function summary(cassettes: number, found: number, paint: Paint): string {
  if (found === 0) return `${paint('green', 'Nothing found')} in ${count(cassettes, 'cassette')}.\n`
  return `${paint('red', count(found, 'finding'))} in ${count(cassettes, 'cassette')}. See docs/lint.md.\n`
}
