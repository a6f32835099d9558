/** Which proxy an address goes through: the one that undici, which the HTTP side goes by, would take. */
import { EnvHttpProxyAgent } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { proxyFor } from '../../src/serve/proxy-environment.ts'

/** Nothing listens there. */
const [PLAIN, SECURE] = ['http://127.0.0.1:1', 'http://127.0.0.1:2']

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Where undici goes: it says so in what it fails with. `.invalid` leads nowhere. */
async function undiciGoes(address: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) {
    vi.stubEnv(name, env[name])
  }
  const agent = new EnvHttpProxyAgent()
  const failure = await agent
    .request({ origin: address, path: '/', method: 'GET' })
    .then(() => 'none', String)
  await agent.destroy()
  return [PLAIN, SECURE].find(proxy => failure.includes(proxy.replace('http://', '')))
}

describe('the proxy for an address', () => {
  const http = { http_proxy: PLAIN }
  const both = { http_proxy: PLAIN, https_proxy: SECURE }

  it.each<{ address: string; env: NodeJS.ProcessEnv; proxy: string | undefined }>([
    { address: 'http://a.invalid', env: {}, proxy: undefined },
    { address: 'http://a.invalid', env: http, proxy: PLAIN },
    { address: 'https://a.invalid', env: http, proxy: PLAIN },
    { address: 'https://a.invalid', env: both, proxy: SECURE },
    { address: 'http://a.invalid', env: both, proxy: PLAIN },
    { address: 'http://a.invalid', env: { https_proxy: SECURE }, proxy: undefined },
    { address: 'http://a.invalid', env: { HTTP_PROXY: PLAIN }, proxy: PLAIN },
    { address: 'https://a.invalid', env: { HTTPS_PROXY: SECURE }, proxy: SECURE },
    { address: 'http://a.invalid', env: { http_proxy: '', HTTP_PROXY: PLAIN }, proxy: undefined },
    { address: 'http://a.invalid', env: { ...http, no_proxy: '*' }, proxy: undefined },
    { address: 'http://a.invalid', env: { ...http, no_proxy: 'a.invalid' }, proxy: undefined },
    { address: 'http://A.invalid', env: { ...http, no_proxy: 'b, a.INVALID' }, proxy: undefined },
    { address: 'http://x.a.invalid', env: { ...http, no_proxy: 'a.invalid' }, proxy: undefined },
    { address: 'http://x.a.invalid', env: { ...http, no_proxy: '.a.invalid' }, proxy: undefined },
    { address: 'http://x.a.invalid', env: { ...http, NO_PROXY: '*.a.invalid' }, proxy: undefined },
    { address: 'http://xa.invalid', env: { ...http, no_proxy: 'a.invalid' }, proxy: PLAIN },
    { address: 'http://a.invalid', env: { ...http, no_proxy: 'a.invalid:80' }, proxy: undefined },
    { address: 'http://a.invalid:81', env: { ...http, no_proxy: 'a.invalid:80' }, proxy: PLAIN },
    { address: 'https://a.invalid', env: { ...both, no_proxy: 'a.invalid:443' }, proxy: undefined },
    { address: 'http://a.invalid', env: { ...http, no_proxy: 'x', NO_PROXY: '*' }, proxy: PLAIN },
  ])('$address with $env is $proxy', async ({ address, env, proxy }) => {
    expect(proxyFor(new URL(address), env)).toBe(proxy)
    expect(await undiciGoes(address, env)).toBe(proxy)
  })
})
