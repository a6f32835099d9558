/** The SDK of Python: its Live connections insist on TLS, and what is set up for Vertex AI ignores base URLs. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Call, describeSdk, replayTo, tunnelled } from '../sdk.ts'

const VERSION = 'genai-3.6.1'
const here = import.meta.dirname
const command = (call: Call): readonly string[] => [
  join(here, '.venv', VERSION, 'bin/python'),
  join(here, 'sdk.py'),
  call,
]

describeSdk({
  setup: [join(here, 'setup.sh'), VERSION],
  command,
  calls: ['unary', 'stream', 'interactions', 'live'],
  ways: 'tunnel and base',
})

describe('a client of Vertex AI', () => {
  const env = { GOOGLE_GENAI_USE_VERTEXAI: 'true' }

  it('is answered with its login too, which is asked of nobody', async () => {
    const alone = ['env', '-u', 'GOOGLE_APPLICATION_CREDENTIALS', ...command('stream')]
    expect(await replayTo(alone, 'stream', env)).toMatchObject({ code: 0 })
  })

  it('is answered with an API key in place of a project', async () => {
    const alone = ['env', '-u', 'GOOGLE_CLOUD_PROJECT', '-u', 'GOOGLE_CLOUD_LOCATION', ...command('stream')]
    expect(await replayTo(alone, 'stream', env)).toMatchObject({ code: 0 })
  })
})

describe('a program that is told of no authority', () => {
  it('gets nothing, and the report says what is missing', async () => {
    const alone = ['env', '-u', 'SSL_CERT_FILE', ...tunnelled(command('stream'))]
    const { code, said, report } = await replayTo(alone, 'stream')
    expect(code).not.toBe(0)
    expect(said).toEqual([])
    expect(report).toContain('CERTIFICATE_VERIFY_FAILED')
    expect(report).toContain('note: a client does not trust our certificates')
  })
})
