/** The variables that a user's command gets. */
import { describe, expect, it } from 'vitest'
import { recordEnvironment, replayEnvironment } from '../../src/cli/environment.ts'

const addresses = { url: 'http://127.0.0.1:1', vertexUrl: 'http://127.0.0.1:2' }
const bases = { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1', GOOGLE_VERTEX_BASE_URL: 'http://127.0.0.1:2' }

describe('while recording', () => {
  it('leaves the key and everything else as it is', () => {
    expect(recordEnvironment({ GEMINI_API_KEY: 'own', HOME: '/h' }, addresses)).toEqual({
      GEMINI_API_KEY: 'own',
      HOME: '/h',
      ...bases,
    })
  })
})

describe('while replaying', () => {
  it('gives the app a placeholder for a key that it does not need', () => {
    expect(replayEnvironment({}, addresses)).toEqual({ GEMINI_API_KEY: 'replayed-by-wiretape', ...bases })
  })

  it('lets no real key through', () => {
    const names = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
    const real = Object.fromEntries(names.map((name, index) => [name, `real-${index}`]))
    const placeholders = Object.fromEntries(names.map(name => [name, 'replayed-by-wiretape']))
    expect(replayEnvironment(real, addresses)).toEqual({ ...placeholders, ...bases })
  })
})

describe('where a proxy is set', () => {
  it('keeps our address away from it', () => {
    const env = recordEnvironment({ HTTP_PROXY: 'http://proxy', NO_PROXY: 'intranet' }, addresses)
    expect(env).toMatchObject({
      HTTP_PROXY: 'http://proxy',
      NO_PROXY: 'intranet,127.0.0.1,localhost',
      no_proxy: 'intranet,127.0.0.1,localhost',
    })
  })
})
