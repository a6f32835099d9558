/** `--tls` and `wiretape tls`, as a shell runs them. */
import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/store/authority.ts'
import { emptyFolder, stable, start, wiretape } from './spawned.ts'
import { serviceThat } from './upstream.ts'

const HOST = 'generativelanguage.googleapis.com'
const VERTEX_HOST = 'us-central1-aiplatform.googleapis.com'
const CASSETTE = `cassette: 1
---
exchange: generate-content
request: { method: GET, url: "https://${HOST}/v1beta/models" }
response: { status: 200, headers: {}, body: { models: [] } }
end: {}
`
/** What is trusted, and how to get anywhere, is the test's to say. */
const UNSET = [
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'HTTPLIB2_CA_CERTS',
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'JAVA_TOOL_OPTIONS',
  'JAVA_HOME',
]
const ENV = Object.fromEntries(UNSET.map(name => [name, '']))

/** A PATH without a JVM: making a trust store for it takes seconds. */
function toolFolder(...names: readonly string[]): string {
  const folder = emptyFolder()
  for (const name of names) {
    const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${path} "$@"\n`, { mode: 0o755 })
  }
  return folder
}

/** An authority for all tests but one: making its key takes a while. */
const shared = mkdtempSync(join(tmpdir(), 'wiretape-ca-'))
beforeAll(async () => void (await openAuthority(join(shared, 'ca'), Date.now())))
afterAll(() => rmSync(shared, { recursive: true }))

interface World {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Where the authority is, once somebody needs it. */
  readonly ca: string
}

function world(env: NodeJS.ProcessEnv = {}, authority: 'none' | 'made' = 'made'): World {
  const cwd = emptyFolder()
  const ca = join(cwd, 'wiretape', 'ca')
  if (authority === 'made') {
    cpSync(join(shared, 'ca'), ca, { recursive: true })
    // Not every Node copies the mode of a folder.
    chmodSync(ca, 0o700)
  }
  writeFileSync(join(cwd, 'models.cassette.yaml'), CASSETTE)
  const path = toolFolder('cat', 'curl', 'env', 'grep', 'sh')
  return { cwd, env: { ...ENV, XDG_DATA_HOME: cwd, PATH: path, ...env }, ca }
}

const ask = ['--', 'curl', '-sS', `https://${HOST}/v1beta/models`]

describe('wiretape replay --tls', () => {
  it('reaches a command that knows no base URL', async () => {
    const { cwd, env, ca } = world({}, 'none')
    const { code, stdout, stderr } = await wiretape(['replay', 'models.cassette.yaml', '--tls', ...ask], {
      cwd,
      env,
    })
    expect(stderr).toBe('GET models  200  19 B\nReplayed: 1 of 1 exchange played.\n')
    expect(JSON.parse(stdout)).toEqual({ models: [] })
    expect(code).toBe(0)
    expect(readdirSync(ca)).toEqual(['roots-and-wiretape-ca.pem', 'wiretape-ca.key.pem', 'wiretape-ca.pem'])
  })

  it('reaches each cassette of a folder by the user of the proxy, with credentials where one is of Vertex AI', async () => {
    const { cwd, env } = world()
    mkdirSync(join(cwd, 'tapes/cloud'), { recursive: true })
    writeFileSync(join(cwd, 'tapes/models.cassette.yaml'), CASSETTE)
    writeFileSync(join(cwd, 'tapes/cloud/models.cassette.yaml'), CASSETTE.replace(HOST, VERTEX_HOST))
    const suite = [
      'test() { curl -sS --proxy "http://$1@${HTTPS_PROXY#http://}" "https://$2/v1beta/models"; }',
      `test models ${HOST}; test cloud%2Fmodels ${VERTEX_HOST}`,
      'curl -sS -H accept:text/plain "$WIRETAPE_URL/__wiretape__/cloud/models"',
      'cat "$GOOGLE_APPLICATION_CREDENTIALS" | grep -o "https://127.*token"',
    ].join('\n')
    const words = ['replay', 'tapes', '--tls', '--', 'sh', '-c', suite]
    const { code, stdout, stderr } = await wiretape(words, { cwd, env })
    expect(stable(stdout)).toBe(
      '{\n  "models": []\n}\n{\n  "models": []\n}\nhttps://127.0.0.1:PORT/.wiretape/token\n',
    )
    expect(stderr).toContain('Replayed: 2 of 2 cassettes used, 2 replays.')
    expect(code).toBe(0)
  })

  it('reaches the same over the base URL, in plain and over TLS', async () => {
    const { cwd, env } = world()
    const both =
      'curl -sS "$GOOGLE_GEMINI_BASE_URL/v1beta/models"; curl -sS "https${GOOGLE_GEMINI_BASE_URL#http}/v1beta/models"'
    writeFileSync(join(cwd, 'models.cassette.yaml'), CASSETTE.replace('request:', 'repeat: 2\nrequest:'))
    const words = ['replay', 'models.cassette.yaml', '--tls', '--', 'sh', '-c', both]
    const { code, stdout } = await wiretape(words, { cwd, env })
    expect(stdout).toBe('{\n  "models": []\n}\n{\n  "models": []\n}\n')
    expect(code).toBe(0)
  })

  it('refuses everything else, says so, and does not fail for it', async () => {
    const { cwd, env } = world()
    const other = 'curl -sS https://example.com/; curl -sS "$GOOGLE_GEMINI_BASE_URL/v1beta/models"'
    const words = ['replay', 'models.cassette.yaml', '--tls', '--', 'sh', '-c', other]
    const { code, stderr } = await wiretape(words, { cwd, env })
    expect(stderr).toContain(
      'note: a tunnel to example.com was refused: replaying passes nothing through, and example.com is not on a recording\n',
    )
    expect(stderr).toContain('Replayed: 1 of 1 exchange played.')
    expect(code).toBe(0)
  })

  it('names a folder of its own for the authority, and refuses it where others can look into it', async () => {
    const { cwd, env, ca } = world({}, 'none')
    const folder = join(cwd, 'own')
    mkdirSync(folder, { mode: 0o700 })
    const words = ['replay', 'models.cassette.yaml', '--tls', '--ca-dir', 'own', ...ask]
    expect(await wiretape(words, { cwd, env })).toMatchObject({ code: 0 })
    expect(existsSync(ca)).toBe(false)
    chmodSync(folder, 0o750)
    const { code, stdout, stderr } = await wiretape(words, { cwd, env })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(
      `wiretape: The certificate authority is not private: ${folder} can be read or changed`,
    )
  })

  it('tells programs where the authority is', async () => {
    const { cwd, env, ca } = world()
    const running = start(['replay', 'models.cassette.yaml', '--tls', '--json'], { cwd, env })
    const line = JSON.parse(await running.says('stdout', /^.*"listening".*$/m)) as { caFile: string }
    expect(line.caFile).toBe(join(ca, 'wiretape-ca.pem'))
    running.child.kill('SIGTERM')
  })
})

describe('what the user has set', () => {
  const print = ['--', 'sh', '-c', 'env; cat "$SSL_CERT_FILE" "$NODE_EXTRA_CA_CERTS"']

  it('is trusted still, from files that are gone with the command', async () => {
    const { cwd, env } = world()
    const own = join(cwd, 'own.pem')
    const [one = '', two = ''] = rootCertificates
    writeFileSync(own, `${one}\n`)
    writeFileSync(join(cwd, 'node.pem'), `${two}\n`)
    const { stdout } = await wiretape(['replay', 'models.cassette.yaml', '--tls', ...print], {
      cwd,
      env: { ...env, SSL_CERT_FILE: own, NODE_EXTRA_CA_CERTS: join(cwd, 'node.pem') },
    })
    const ca = readFileSync(join(cwd, 'wiretape/ca/wiretape-ca.pem'), 'utf8').trim()
    expect(stdout.match(/-----BEGIN[^]*?END CERTIFICATE-----/g)).toEqual([one, ca, two, ca])
    const file = /^SSL_CERT_FILE=(.*)$/m.exec(stdout)?.[1] ?? ''
    expect(file).toMatch(/SSL_CERT_FILE\.pem$/)
    expect(existsSync(file)).toBe(false)
  })

  it('is named where it is not followed', async () => {
    const { cwd, env } = world({
      HTTPS_PROXY: 'http://me:secret@proxy:3128',
      NO_PROXY: 'intranet,.googleapis.com',
    })
    const { stdout, stderr } = await wiretape(['replay', 'models.cassette.yaml', '--tls', ...print], {
      cwd,
      env,
    })
    expect(stderr).toContain(
      'note: HTTPS_PROXY named http://proxy:3128; for the command it names this server, and what comes here goes nowhere while replaying\n',
    )
    expect(stderr).toContain(
      'note: NO_PROXY had .googleapis.com, by which requests would go past this server; for the command it has not\n',
    )
    expect(stdout).toMatch(/^NO_PROXY=intranet,127\.0\.0\.1,localhost$/m)
    expect(stdout).toMatch(/^https_proxy=http:\/\/127\.0\.0\.1:\d+$/m)
    expect(stdout + stderr).not.toContain('secret')
  })

  it('stops it where a file that it names can not be read', async () => {
    const { cwd, env } = world({ SSL_CERT_FILE: '/no/such/file' })
    const { code, stderr } = await wiretape(['replay', 'models.cassette.yaml', '--tls', ...ask], { cwd, env })
    expect(code).toBe(2)
    expect(stderr).toContain("SSL_CERT_FILE names /no/such/file, which can't be read.")
  })

  it('as a client of Vertex keeps the base URL of the other side away', async () => {
    const { cwd, env } = world({ GOOGLE_GENAI_USE_VERTEXAI: 'true' })
    const { stdout } = await wiretape(['replay', 'models.cassette.yaml', '--tls', ...print], { cwd, env })
    expect(stdout).not.toMatch(/^GOOGLE_GEMINI_BASE_URL=/m)
    expect(stdout).toMatch(/^GOOGLE_VERTEX_BASE_URL=/m)
  })
})

describe('wiretape record --tls', () => {
  it('records what comes through the tunnel, and passes the rest through', async () => {
    const { cwd, env } = world()
    const service = await serviceThat((_, response) => void response.end('{"models": []}'))
    const words = ['record', 'new.cassette.yaml', '--tls', '--upstream', service]
    const both = `curl -sS https://${HOST}/v1beta/models; curl -sS --proxytunnel --noproxy '' --proxy "$HTTPS_PROXY" ${service}/past`
    const { code, stdout, stderr } = await wiretape([...words, '--', 'sh', '-c', both], { cwd, env })
    expect(stdout).toBe('{"models": []}{"models": []}')
    expect(stderr).toContain('Recorded new.cassette.yaml: 1 exchange')
    expect(readFileSync(join(cwd, 'new.cassette.yaml'), 'utf8')).not.toContain('past')
    expect(code).toBe(0)
    expect(await wiretape(['replay', 'new.cassette.yaml', '--tls', ...ask], { cwd, env })).toMatchObject({
      code: 0,
    })
  })

  it('passes nothing through where it is told so', async () => {
    const { cwd, env } = world()
    const service = await serviceThat((_, response) => void response.end('{"models": []}'))
    const words = ['record', 'new.cassette.yaml', '--tls', '--only-google', '--upstream', service, '--']
    const past = `curl -sS --proxytunnel --noproxy '' --proxy "$HTTPS_PROXY" ${service}/past`
    const { stdout, stderr } = await wiretape([...words, 'sh', '-c', past], { cwd, env })
    expect(stdout).toBe('')
    expect(stderr).toContain(
      'note: a tunnel to 127.0.0.1 was refused: --only-google passes nothing through to 127.0.0.1\n',
    )
  })
})

describe('wiretape tls', () => {
  it('prints what a shell can take as it is, and can take again', async () => {
    const { cwd, env, ca } = world()
    const first = await wiretape(['tls', '--port', '8443'], { cwd, env })
    expect(first.stdout.replaceAll(cwd, 'HOME')).toMatchSnapshot()
    const script = `${first.stdout}\nenv`
    const { stdout } = await promisify(execFile)('sh', ['-c', script], {
      env: { ...env, PATH: process.env['PATH'] },
    })
    expect(stdout).toContain(`SSL_CERT_FILE=${ca}/roots-and-wiretape-ca.pem\n`)
    const set = Object.fromEntries(stdout.split('\n').map(line => line.split('=', 2)))
    const again = await wiretape(['tls', '--port', '8443'], { cwd, env: { ...set, XDG_DATA_HOME: cwd } })
    const { stdout: later } = await promisify(execFile)('sh', ['-c', `${again.stdout}\ncat "$SSL_CERT_FILE"`])
    expect(later).toBe(readFileSync(join(ca, 'roots-and-wiretape-ca.pem'), 'utf8'))
  })

  it('is said by a server too, with its own addresses', async () => {
    const { cwd, env } = world()
    const running = start(['replay', 'models.cassette.yaml', '--tls'], { cwd, env })
    await running.says('stdout', /export GOOGLE_VERTEX_BASE_URL=http:\/\/127\.0\.0\.1:\d+\n# A Python/)
    await running.says('stdout', /export HTTPS_PROXY=http:\/\/127\.0\.0\.1:\d+\n/)
    running.child.kill('SIGTERM')
  })
})

it('needs --tls for what goes with it', async () => {
  for (const option of [['--ca-dir', 'x'], ['--only-google']]) {
    const { code, stderr } = await wiretape(['record', 'a', ...option], { cwd: emptyFolder() })
    expect([code, stderr]).toEqual([2, `wiretape: ${option[0]} goes with --tls, which is not there.\n`])
  }
})
