/**
 * The process that records or recovers in the crash and secret tests. Its arguments: `record FILE UPSTREAM`
 * or `recover FILE`. It says what it does on stdout, a JSON object a line, and finishes when stdin ends.
 */
import { createRecordServer } from '../../src/serve/record-server.ts'
import { recover } from '../../src/store/finish.ts'

const [, , verb = '', file = '', upstream = ''] = process.argv

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

async function record(): Promise<void> {
  const server = await createRecordServer({
    file,
    upstream,
    vertexUpstream: upstream,
    existing: 'overwrite',
    by: 'wiretape/test',
    onExchange: say,
  })
  say({ url: server.url, vertexUrl: server.vertexUrl })
  process.stdin.resume()
  await new Promise(resolve => process.stdin.once('end', resolve))
  say(await server.close())
}

try {
  await (verb === 'record' ? record() : recover(file, { by: 'wiretape/test' }).then(say))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}
