/** A client that costs next to nothing, so that what it measures is the server. */
import { connect } from 'node:net'
import { SSE_BODY, SSE_PATH } from './recordings.ts'

const REQUEST = [
  `POST ${SSE_PATH} HTTP/1.1`,
  'host: 127.0.0.1',
  'content-type: application/json',
  `content-length: ${SSE_BODY.length}`,
  '',
  SSE_BODY,
].join('\r\n')

/** The end of the transfer coding; nothing in the answers looks like it. */
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** Asks one thing after the other on one connection; `next` says whether there is one more. */
function askAll(port: number, next: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, ask)
    let tail = ''
    function ask(): void {
      tail = ''
      if (next()) socket.write(REQUEST)
      else socket.end(resolve)
    }
    socket.on('error', reject)
    socket.on('data', bytes => {
      tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - LAST_CHUNK.length))).slice(
        -LAST_CHUNK.length,
      )
      if (tail === LAST_CHUNK) ask()
    })
  })
}

/** Answers in a second, of so many, with so many connections. */
export async function answersPerSecond(port: number, total: number, atOnce: number): Promise<number> {
  let left = total
  const next = (): boolean => (left -= 1) >= 0
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, () => askAll(port, next)))
  return (total * 1000) / (performance.now() - began)
}

/** The whole answer as it comes, head and framing included. */
export function wholeAnswer(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = ''
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(REQUEST))
    socket.setEncoding('latin1').on('error', reject)
    socket.on('data', text => {
      all += String(text)
      if (all.endsWith(LAST_CHUNK)) socket.end(() => resolve(all))
    })
  })
}

/** When each event of an answer came, in milliseconds. */
export function arrivals(port: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const times: number[] = []
    let tail = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(REQUEST))
    socket.setEncoding('latin1').on('error', reject)
    socket.on('data', text => {
      const now = performance.now()
      const seen = tail + String(text)
      for (let at = seen.indexOf('data: '); at !== -1; at = seen.indexOf('data: ', at + 1)) times.push(now)
      tail = seen.slice(-LAST_CHUNK.length)
      if (tail === LAST_CHUNK) socket.end(() => resolve(times))
    })
  })
}
