/** A disk that was full for what the command says once ended the recording, and the app's connection with it. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, emptyFolder, wiretape } from '../cli/spawned.ts'
import { serviceThat, stream, STREAM } from '../cli/upstream.ts'

const ASK = resolve(import.meta.dirname, '../cli/ask.mjs')
const FILE = 'sea.cassette.yaml'

/** A file that every write to fails: Linux has it. */
const FULL = '/dev/full'

describe.skipIf(!existsSync(FULL))('where what is said can not be written', () => {
  it('records on, and says at the end that lines are missing', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const words = ['record', FILE, `--json=${FULL}`, '--upstream', upstream]
    const { code, stdout, stderr } = await wiretape([...words, '--', process.execPath, ASK, 'Why?'], { cwd })
    expect(stdout).toBe(`200 ${JSON.stringify(STREAM)}\n`)
    expect(stderr).toContain('Recorded sea.cassette.yaml: 1 exchange')
    expect(stderr).toContain('WIRETAPE_WRITE\n  Not all lines of --json could be written to /dev/full')
    expect(code).toBe(1)
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('The sea')
  })

  it('records on where that is its own output', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const command = `"${process.execPath}" "${CLI}" record ${FILE} --json --upstream ${upstream} -- "${process.execPath}" "${ASK}" 'Why?' 2> ${FULL}`
    const code = await new Promise(done =>
      execFile('sh', ['-c', command], { cwd }, error => done(error?.code)),
    )
    expect(code).toBe(1)
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('The sea')
  })
})
