/** What is special on a terminal, on a real one: `script` gives the command a pseudo-terminal. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CLI, emptyFolder, stable } from './spawned.ts'

it('shows what is going on in one line, uses colour, and ends on Ctrl-C', async () => {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'a.cassette.yaml'),
    `cassette: 1
---
exchange: unknown
request: { method: GET, url: "http://service/a" }
response: { status: 204 }
end: {}
`,
  )
  const { NO_COLOR: _, ...env } = process.env
  const terminal = spawn(
    'script',
    [
      '-qec', // In place of the shell: not every shell hands on what the command ends with.
      `exec '${process.execPath}' '${CLI}' replay a.cassette.yaml`,
      '/dev/null',
    ],
    {
      cwd,
      env,
    },
  )
  onTestFinished(() => void terminal.kill('SIGKILL'))
  let shown = ''
  const ended = new Promise<number | null>(done => terminal.once('close', done))
  await new Promise<void>(found => {
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (shown.includes('replaying: 0 of 1 exchange played') && shown.includes('Java')) found()
    })
  })
  terminal.stdin.write('\u0003')
  expect(await ended).toBe(1)
  expect(stable(shown)).toContain('\r\u001B[Kreplaying: 0 of 1 exchange played')
  expect(shown).toContain('\u001B[31mWIRETAPE_UNFINISHED\u001B[39m')
})
