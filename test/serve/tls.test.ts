/** One port for plain, TLS, `ws` and `wss`: clients that we did not write, straight to it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { request as undiciRequest } from 'undici'
import { WebSocket } from 'ws'
import { createDoorway } from '../../src/serve/doorway.ts'
import { listen } from '../../src/serve/listener.ts'
import { createLeaves, type Leaves } from '../../src/serve/leaves.ts'
import { replayedTunnel } from '../../src/serve/port-tls.ts'
import { issueLeaf, makeAuthority, makeKey } from '../../src/store/certificate.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { BODY, PATH, startReplaying, tape } from './replaying.ts'
import {
  ANSWER,
  curl,
  exchangeBytes,
  SOCKET,
  seenOn,
  SOCKET_PATH,
  startSecured,
  STREAM,
  tlsTo,
} from './tls-peers.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close()
})

describe('a port with TLS', () => {
  it('answers http and https alike', async () => {
    const { server, secureUrl, caFile } = await startSecured(tape(ANSWER))
    const plain = await curl('-d', BODY, `${server.url}${PATH}`)
    const secure = await curl('--cacert', caFile, '-d', BODY, `${secureUrl}${PATH}`)
    const named = await curl(
      '--cacert',
      caFile,
      '-d',
      BODY,
      `${secureUrl.replace('127.0.0.1', 'localhost')}${PATH}`,
    )
    expect([plain.stdout, secure.stdout, named.stdout]).toEqual([STREAM, STREAM, STREAM])
  })

  it('opens ws and wss alike', async () => {
    const { server, secureUrl, ca } = await startSecured(tape(SOCKET))
    const plain = await seenOn(new WebSocket(`${server.url.replace('http', 'ws')}${SOCKET_PATH}`))
    const secure = await seenOn(new WebSocket(`${secureUrl.replace('http', 'ws')}${SOCKET_PATH}`, { ca }))
    expect(secure).toEqual(plain)
    expect(secure.at(-1)).toBe('1000')
  })

  it('speaks HTTP/1.1 to a client that would rather speak HTTP/2', async () => {
    const { port, ca } = await startSecured(tape(ANSWER))
    const socket = await tlsTo(port, { ca, ALPNProtocols: ['h2', 'http/1.1'] })
    expect(socket.alpnProtocol).toBe('http/1.1')
  })

  it('keeps a connection for the next request, over TLS too', async () => {
    const { secureUrl, caFile } = await startSecured(tape(ANSWER))
    const [url, twice] = [`${secureUrl}${PATH}`, ['-w', '%{num_connects} ']]
    const { stdout } = await curl('--cacert', caFile, ...twice, '-d', BODY, url, url)
    expect(stdout).toBe(`${STREAM}1 ${STREAM}0 `)
  })

  it('can be closed while clients have said nothing yet', async () => {
    const { server, port } = await startSecured(tape(ANSWER))
    const silent = exchangeBytes(port, '')
    expect(await silent).toBe('')
    await server.close()
  })

  it('has certificates for every name of this machine', async () => {
    const { port, ca } = await startSecured(tape(ANSWER))
    for (const host of ['127.0.0.1', 'localhost']) {
      const socket = await tlsTo(port, { ca, ...(host === 'localhost' ? { servername: host } : {}) })
      expect(socket.authorized).toBe(true)
      expect(socket.getPeerCertificate().subjectaltname).toBe(
        'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
      )
    }
  })
})

describe('a client that does not trust the authority', () => {
  it('gets nothing, and the report says what to do', async () => {
    const { server, secureUrl } = await startSecured(tape(ANSWER))
    const { code, stdout } = await curl('-d', BODY, `${secureUrl}${PATH}`)
    expect([code, stdout]).toEqual([60, ''])
    const { requests, notes } = await server.close()
    expect(requests).toBe(0)
    expect(notes).toEqual([
      expect.stringContaining('a client does not trust our certificates: it has to be told of'),
    ])
  })

  it('is told of where it looks at the certificate last, as Node does', async () => {
    const { server, secureUrl, caFile } = await startSecured(tape(ANSWER))
    await expect(undiciRequest(`${secureUrl}${PATH}`)).rejects.toThrow(
      'unable to verify the first certificate',
    )
    await vi.waitFor(() => expect(server.report().notes).toEqual([expect.stringContaining(caFile)]), 10_000)
    expect(server.report().requests).toBe(0)
  })
})

describe('a certificate that has expired', () => {
  it('is taken by no client, and the remark names the clock', async () => {
    const authority = await makeAuthority(Date.now())
    const key = await makeKey()
    const old = issueLeaf(authority, ['localhost', '127.0.0.1'], key, Date.now() - 8 * 86_400_000)
    const leaves: Leaves = {
      of: () => ({ ...old, context: createSecureContext({ key: old.key, cert: old.cert }) }),
    }
    const notes: string[] = []
    const note = (text: string): void => void notes.push(text)
    let asked = 0
    const listener = await listen(
      (_, response) => {
        asked += 1
        response.end()
      },
      0,
      {
        tls: {
          caFile: 'ca.pem',
          decide: replayedTunnel,
          note,
          openDoorway: (server, taken) => createDoorway(server, taken, { leaves, caFile: 'ca.pem', note }),
        },
      },
    )
    opened.push(listener)
    const port = Number(new URL(listener.url).port)
    await expect(tlsTo(port, { ca: authority.cert })).rejects.toThrow('certificate has expired')
    const caFile = join(emptyFolder(), 'ca.pem')
    writeFileSync(caFile, authority.cert)
    const { code, stderr } = await curl('--cacert', caFile, listener.url.replace('http', 'https'))
    expect(code).toBe(60)
    expect(stderr).toContain('certificate has expired')
    expect(notes).toContainEqual(expect.stringContaining('look at the clock of that client'))
    expect(asked).toBe(0)
  })

  it('is never shown: a day before, a new one is made', async () => {
    let now = Date.now()
    const authority = await makeAuthority(now)
    const leaves = await createLeaves(authority, () => now)
    const first = leaves.of('generativelanguage.googleapis.com')
    now += 5 * 86_400_000
    expect(leaves.of('generativelanguage.googleapis.com')).toBe(first)
    now += 86_400_000 + 1
    const second = leaves.of('generativelanguage.googleapis.com')
    expect(second.expires).toBeGreaterThan(first.expires)
  })
})

describe('a port without TLS', () => {
  it('opens no tunnel, and says what is missing', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    const { code, stderr } = await curl(
      '--proxy',
      replaying.server.url,
      'https://generativelanguage.googleapis.com/',
    )
    expect(code).toBe(56)
    expect(stderr).toContain('403')
    const report = await replaying.server.close()
    expect(report.notes).toEqual([
      'a tunnel to generativelanguage.googleapis.com was refused: it is a proxy for https with --tls only; without, name it as the base URL of the client',
    ])
  })
})
