/** The chunked transfer coding, as literals, and as a parser that we did not write reads it. */
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Client, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { frameChunks, frameEnd } from '../../src/serve/chunk-frames.ts'
import { beginResponse } from '../../src/serve/response.ts'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

describe('the frames of chunks', () => {
  it('are the size in hexadecimal, the bytes, and an end of line', () => {
    expect(frameChunks([bytes('Wiki'), bytes('x'.repeat(26))]).toString('latin1')).toBe(
      `4\r\nWiki\r\n1a\r\n${'x'.repeat(26)}\r\n`,
    )
  })

  it('have none for a chunk without a byte, which would be the last', () => {
    expect(frameChunks([bytes(''), bytes('\r\n'), bytes('')]).toString('latin1')).toBe('2\r\n\r\n\r\n')
    expect(frameChunks([])).toHaveLength(0)
  })

  it('end with the last chunk and the trailers, one byte per character', () => {
    expect(frameEnd([]).toString('latin1')).toBe('0\r\n\r\n')
    expect(frameEnd([['x-sum', 'ä']]).toString('latin1')).toBe('0\r\nx-sum: ä\r\n\r\n')
  })
})

describe('a response', () => {
  async function answered(answer: (response: ServerResponse) => void, method = 'GET') {
    const server = createServer((_, response) => answer(response))
    const url = await listenOnLoopback(server)
    const { statusCode, headers, body, trailers } = await request(url, { method: method as 'GET' })
    const text = await body.text()
    await closeServer(server)
    return { statusCode, headers, text, trailers }
  }

  it('is read by undici with its trailers', async () => {
    const { headers, text, trailers } = await answered(response => {
      const body = beginResponse(response, 200, 'OK', [['a', 'b']])
      body.write([bytes('one'), bytes('two')])
      body.end([['x-sum', '1']])
    })
    expect(headers).toMatchObject({ a: 'b', 'transfer-encoding': 'chunked' })
    expect({ text, trailers }).toEqual({ text: 'onetwo', trailers: { 'x-sum': '1' } })
  })

  it.each([
    { what: 'a length', method: 'GET', status: 200, fields: [['content-length', '3']] as const, body: 'one' },
    { what: 'no body by its status', method: 'GET', status: 204, fields: [], body: '' },
    { what: 'no body by its method', method: 'HEAD', status: 200, fields: [], body: '' },
  ])('that has $what has no transfer coding', async ({ method, status, fields, body }) => {
    const { headers, text } = await answered(response => {
      const begun = beginResponse(response, status, 'OK', fields)
      begun.write([bytes('one')])
      begun.end([])
    }, method)
    expect(headers).not.toHaveProperty('transfer-encoding')
    expect(text).toBe(body)
  })

  it('to a client of HTTP/1.0 has none either, and ends with its connection', async () => {
    const server = createServer((_, response) => {
      const body = beginResponse(response, 200, 'OK', [])
      body.write([bytes('one'), bytes('two')])
      body.end([])
    })
    const url = new URL(await listenOnLoopback(server))
    const text = await new Promise<string>((resolve, reject) => {
      let all = ''
      connect(Number(url.port), url.hostname)
        .setEncoding('latin1')
        .on('data', piece => (all += String(piece)))
        .on('error', reject)
        .on('close', () => resolve(all))
        .write('GET / HTTP/1.0\r\n\r\n')
    })
    await closeServer(server)
    expect(text).not.toContain('Transfer-Encoding')
    expect(text).toMatch(/\r\n\r\nonetwo$/)
  })

  it('leaves a connection that is kept to the next one', async () => {
    const server = createServer((_, response) => {
      const body = beginResponse(response, 200, 'OK', [])
      body.write([bytes('one')])
      body.end([])
    })
    let connections = 0
    server.on('connection', () => (connections += 1))
    const client = new Client(await listenOnLoopback(server))
    for (let count = 0; count < 3; count += 1) {
      const { body } = await client.request({ path: '/', method: 'GET' })
      expect(await body.text()).toBe('one')
    }
    await client.close()
    await closeServer(server)
    expect(connections).toBe(1)
  })
})
