/** What a client of Vertex AI is given while replaying. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeVertexCredentials } from '../../src/cli/vertex-credentials.ts'

const server = { url: 'http://127.0.0.1:1', vertex: false }

describe('where nothing speaks of Vertex AI', () => {
  it('there are none', () => {
    const { variables, notes } = makeVertexCredentials(
      { GOOGLE_APPLICATION_CREDENTIALS: '/own.json' },
      server,
    )
    expect([variables, notes]).toEqual([{}, []])
  })
})

describe.each([
  ['the environment', { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, server],
  ['the environment, in its newer word', { GOOGLE_GENAI_USE_ENTERPRISE: '1' }, server],
  ['the recording', {}, { ...server, vertex: true }],
])('where %s speaks of Vertex AI', (_, env, where) => {
  it('there is a file whose token comes from the replay, and it is gone with the command', () => {
    const { variables, notes, dispose } = makeVertexCredentials(env, where)
    onTestFinished(dispose)
    const file = variables['GOOGLE_APPLICATION_CREDENTIALS'] ?? ''
    const written = JSON.parse(readFileSync(file, 'utf8')) as { credential_source: { file: string } }
    expect(written).toMatchObject({
      type: 'external_account',
      token_url: 'http://127.0.0.1:1/.wiretape/token',
    })
    expect(existsSync(written.credential_source.file)).toBe(true)
    expect(notes).toEqual([])
    dispose()
    expect(existsSync(file)).toBe(false)
  })

  it('project and location are the own ones, if there are some', () => {
    const own = { GOOGLE_CLOUD_PROJECT: 'mine', GOOGLE_CLOUD_LOCATION: 'europe-west4' }
    const { variables, dispose } = makeVertexCredentials({ ...env, ...own }, where)
    dispose()
    expect(variables).toMatchObject(own)
    const { variables: others, dispose: done } = makeVertexCredentials(env, where)
    done()
    expect(others).toMatchObject({
      GOOGLE_CLOUD_PROJECT: 'replayed-by-wiretape',
      GOOGLE_CLOUD_LOCATION: 'us-central1',
    })
  })

  it('own credentials are not shown to the command, and that is said', () => {
    const own = { GOOGLE_APPLICATION_CREDENTIALS: '/own.json' }
    const { variables, notes, dispose } = makeVertexCredentials({ ...env, ...own }, where)
    dispose()
    expect(variables['GOOGLE_APPLICATION_CREDENTIALS']).not.toBe('/own.json')
    expect(notes).toEqual([
      'GOOGLE_APPLICATION_CREDENTIALS named /own.json; for the command it names a file without any credentials',
    ])
  })
})
