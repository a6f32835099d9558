/**
 * `wiretape show`: a cassette as a timeline on the terminal, or as JSON lines.
 *
 * Room: cli.
 */
import type { Tone } from '../view/text.ts'
import type { ShowInvocation } from './invocation.ts'
import { openJsonLines } from './json-lines.ts'
import { painter, type Style, type Surroundings } from './output.ts'

/** How each tone looks where colours are shown. */
const STYLES: Readonly<Record<Tone, Style | undefined>> = {
  plain: undefined,
  dim: 'dim',
  strong: 'bold',
  thought: 'italic',
  call: 'cyan',
  good: 'green',
  bad: 'red',
}

/** Columns where the output is no terminal: a file or a pager is read anywhere. */
const COLUMNS = 80

/** Shows. Returns the exit code. Throws what `loadCassette` throws. */
export async function show(
  { file, detail, json }: ShowInvocation,
  { stdout, env }: Surroundings,
): Promise<number> {
  const { readCassetteFile } = await import('../store/load.ts')
  const cassette = await readCassetteFile(file)
  if (json !== undefined) {
    const { cassetteLines } = await import('../view/lines.ts')
    const lines = openJsonLines(json, stdout)
    for (const line of cassetteLines(cassette)) lines.print(line)
    lines.close()
    return 0
  }
  const { showCassette } = await import('../view/timeline.ts')
  const styled = painter(stdout, env)
  const paint = (tone: Tone, text: string): string => {
    const style = STYLES[tone]
    return style === undefined ? text : styled(style, text)
  }
  stdout.write(showCassette(cassette, { width: stdout.columns ?? COLUMNS, detail, paint }))
  return 0
}
