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

  it('that cuts its greeting into several records offers nothing, wherever it cuts', async () => {
    const bytes = await firstBytes(node({ ALPNProtocols: ['h2', 'http/1.1'] }))
    for (let length = 1; length < bytes.length - 5; length += 1) {
      const head = Uint8Array.of(22, 3, 1, length >> 8, length & 0xff)
      expect(offeredProtocols(Buffer.concat([head, bytes.subarray(5, 5 + length)]))).toBeUndefined()
    }
  })

  it('that offers a list of nothing offers nothing', async () => {
    const bytes = Buffer.from(await firstBytes(node({ ALPNProtocols: ['h2'] })))
    const at = bytes.indexOf(Buffer.from([0, 16, 0, 5, 0, 3, 2]))
    bytes.set([0, 16, 0, 2, 0, 0, 0, 42, 0xff], at)
    expect(offeredProtocols(bytes)).toBeUndefined()
  })

  it.each([
    'GET / HTTP/1.1\r\n',
    '\0',
    '\x16\x03\x01\0\x01\x02',
    '\x16\x03\x01\0\x04\x01\0\0\0',
    '\x16\x03\x01\0\0',
    // Longer than a record may be: its end is not waited for.
    '\x16\x03\x01\xff\xff',
  ])('that says %j offers nothing', text =>
    expect(offeredProtocols(Buffer.from(text, 'latin1'))).toBeUndefined(),
  )
})
