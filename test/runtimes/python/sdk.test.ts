/**
 * The Python SDK, set up by nothing but its environment, unary, streamed, Interactions and Live: through the tunnel as
 * if it talked to the service, and by its base URL, where its sockets insist on TLS all the same.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const VERSION = 'genai-3.6.1'
const here = import.meta.dirname
const root = resolve(here, '../../..')
const cli = join(root, 'dist/cli.js')
const python = join(here, '.venv', VERSION, 'bin/python')
const program = join(here, 'sdk.py')

/** What each call is replayed from: recordings of another SDK, all of them. */
const CASSETTES: Readonly<Record<string, string>> = {
  unary: 'tool-turn',
  stream: 'streamed-answer',
  interactions: 'interactions-tool-turn',
  live: 'live-text-turn',
}
/** Set up for Vertex AI by variables alone: with a project, or with an API key in place of one. */
const VERTEX = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_LOCATION: 'europe-west4' }
const EXPRESS = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'placeholder' }

interface Outcome {
  readonly code: number
  readonly said: readonly string[]
  readonly report: string
}

let folder = ''
beforeAll(() => {
  if (!existsSync(cli)) throw new Error('there is no dist/cli.js: npm run build')
  execFileSync(join(here, 'setup.sh'), [VERSION], { stdio: ['ignore', 'inherit', 'inherit'] })
  folder = mkdtempSync(join(tmpdir(), 'wiretape-sdk-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs our command, on a machine that knows no key, no project and no authority. */
function run(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:GOOGLE|GEMINI|GCLOUD|CLOUDSDK)_|_CA_|CERT|PROXY$/i.test(name),
  )
  const bare = { ...Object.fromEntries(kept), XDG_DATA_HOME: folder, PYTHONDONTWRITEBYTECODE: '1', ...env }
  return new Promise(done => {
    execFile(process.execPath, [cli, ...words], { env: bare, cwd: folder }, (error, stdout, stderr) =>
      done({
        code: error === null ? 0 : Number(error.code),
        said: stdout.split('\n').filter(Boolean),
        report: stderr,
      }),
    )
  })
}

const shipped = (name: string): string => join(root, 'cassettes', `${name}.cassette.yaml`)
/** The same command without a base URL: it has to find the tunnel. */
const withoutBase = (...words: readonly string[]): readonly string[] => [
  'env',
  '-u',
  'GOOGLE_GEMINI_BASE_URL',
  '-u',
  'GOOGLE_VERTEX_BASE_URL',
  ...words,
]

function replay(cassette: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return run(['replay', cassette, '--tls', '--', ...command], env)
}

describe.each(Object.entries(CASSETTES))('%s', (call, name) => {
  it('comes through the tunnel, as if to the service', async () => {
    const { code, said, report } = await replay(shipped(name), withoutBase(python, program, call))
    expect(report).toMatch(/^Replayed: /m)
    expect(code).toBe(0)
    expect(said.length).toBeGreaterThan(1)
  })

  it('comes by the base URL too, and gets the same', async () => {
    const tunnelled = await replay(shipped(name), withoutBase(python, program, call))
    const { code, said } = await replay(shipped(name), [python, program, call])
    expect(code).toBe(0)
    expect(said).toEqual(tunnelled.said)
  })

  it('is recorded through the tunnel, and replayed to the same program', async () => {
    const file = join(folder, `${call}.cassette.yaml`)
    const recorder = ['record', file, '--overwrite', '--tls', '--upstream']
    const inside = withoutBase(python, program, call)
      .map(word => `'${word}'`)
      .join(' ')
    const script = `exec '${process.execPath}' '${cli}' ${recorder.join(' ')} "$GOOGLE_GEMINI_BASE_URL" -- ${inside}`
    const recorded = await run(['replay', shipped(name), '--', 'sh', '-c', script])
    expect(recorded.report).toMatch(/^Recorded /m)
    expect(recorded.code).toBe(0)
    const replayed = await replay(file, withoutBase(python, program, call))
    expect(replayed.code).toBe(0)
    expect(replayed.said).toEqual(recorded.said)
  })
})

/** Somebody has logged in here, in vain: what the login would be asked for is not needed. */
function homeWithLogin(): string {
  const gcloud = join(folder, '.config/gcloud')
  mkdirSync(gcloud, { recursive: true })
  const login = { type: 'authorized_user', client_id: 'a', client_secret: 'b', refresh_token: 'c' }
  writeFileSync(join(gcloud, 'application_default_credentials.json'), JSON.stringify(login))
  return folder
}

describe('a client of Vertex AI that is set up by variables alone', () => {
  it.each(Object.entries(CASSETTES))('gets %s from the same cassette', async (call, name) => {
    const env = { ...VERTEX, HOME: homeWithLogin() }
    const { code, said, report } = await replay(shipped(name), [python, program, call], env)
    expect(report).toMatch(/^Replayed: /m)
    expect(code).toBe(0)
    expect(said.length).toBeGreaterThan(1)
  })

  it('gets it with its login too, which is asked of nobody', async () => {
    const env = { ...VERTEX, HOME: homeWithLogin() }
    const alone = ['env', '-u', 'GOOGLE_APPLICATION_CREDENTIALS', python, program, 'stream']
    expect(await replay(shipped('streamed-answer'), alone, env)).toMatchObject({ code: 0 })
  })

  it('gets it with an API key in place of a project', async () => {
    const { code, said } = await replay(shipped('streamed-answer'), [python, program, 'stream'], EXPRESS)
    expect(code).toBe(0)
    expect(said.length).toBeGreaterThan(1)
  })
})

describe('a program that is told of no authority', () => {
  it('gets nothing, and the report says what is missing', async () => {
    const alone = withoutBase('-u', 'SSL_CERT_FILE', python, program, 'stream')
    const { code, said, report } = await replay(shipped('streamed-answer'), alone)
    expect(code).not.toBe(0)
    expect(said).toEqual([])
    expect(report).toContain('CERTIFICATE_VERIFY_FAILED')
    expect(report).toContain('note: a client does not trust our certificates')
  })
})
