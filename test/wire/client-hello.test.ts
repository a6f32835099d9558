/** What TLS clients offer to speak, read off what real ones send. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { offeredProtocols } from '../../src/wire/client-hello.ts'

/** The first bytes that a client sends to a port of this machine, as they come in one piece. */
async function firstBytes(start: (port: number) => void): Promise<Uint8Array> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  start((server.address() as AddressInfo).port)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const pieces: Buffer[] = []
  while (offeredProtocols(Buffer.concat(pieces)) === 'more') {
    const [piece] = (await once(socket, 'data')) as [Buffer]
    pieces.push(piece)
  }
  socket.destroy()
  server.close()
  return Buffer.concat(pieces)
}

const node = (options: ConnectionOptions) => (port: number) =>
  void connectTls({ port, host: '127.0.0.1', ...options }).on('error', () => undefined)
const curl =
  (...words: readonly string[]) =>
  (port: number) =>
    void execFile('curl', ['-s', ...words, `https://127.0.0.1:${port}/`], () => undefined)

describe('a client', () => {
  it.each([
    ['that offers gRPC alone', node({ ALPNProtocols: ['grpc-exp', 'h2'] }), ['grpc-exp', 'h2']],
    ['that offers both', node({ ALPNProtocols: ['h2', 'http/1.1'] }), ['h2', 'http/1.1']],
    ['that names nothing', node({}), undefined],
    [
      'with a name and TLS 1.2',
      node({ servername: 'a.example', maxVersion: 'TLSv1.2', ALPNProtocols: ['h2'] }),
      ['h2'],
    ],
    ['that is curl', curl('--http1.1'), ['http/1.1']],
    ['that is curl without ALPN', curl('--no-alpn'), undefined],
  ] as const)('%s is told from its first bytes, however they come', async (_, start, names) => {
    const bytes = await firstBytes(start)
    expect(offeredProtocols(bytes)).toEqual(names)
    expect(offeredProtocols(Buffer.concat([bytes, Buffer.from('more')]))).toEqual(names)
    for (let length = 0; length < bytes.length; length += 1) {
      expect(offeredProtocols(bytes.subarray(0, length))).toBe('more')
    }
  })

  it.each([
    'GET / HTTP/1.1\r\n',
    '\0',
    '\x16\x03\x01\0\x01\x02',
    '\x16\x03\x01\0\x04\x01\0\0\0',
    '\x16\x03\x01\0\0',
  ])('that says %j offers nothing', text =>
    expect(offeredProtocols(Buffer.from(text, 'latin1'))).toBeUndefined(),
  )
})
