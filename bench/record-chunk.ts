/** What the recording proxy adds to each chunk, beside a raw TCP pipe. */
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { SSE_BODY, SSE_PATH, SSE_PIECES } from './recordings.ts'
import { type Benchmark, figure, median } from './row.ts'
import { CLI, portOf, spawned, startPeer } from './spawned.ts'

const BAR = 1.5
const CHUNKS = 4_000
const WARM_UP = 1_000

/** A stream on its way to a client, by some road. */
interface Road {
  readonly client: Socket
  readonly service: ServerResponse
}

/** Opens a stream at this port. The service hands over its end of it. */
async function openRoad(port: number, asked: () => Promise<ServerResponse>): Promise<Road> {
  const service = asked()
  const client = connect({ port, host: '127.0.0.1', noDelay: true })
  const { length } = SSE_BODY
  client.write(`POST ${SSE_PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${length}\r\n\r\n${SSE_BODY}`)
  const response = await service
  await new Promise(resolve => client.once('data', resolve))
  return { client, service: response }
}

/** How long a chunk takes from the service's write to the client, in microseconds. */
function timeChunk({ client, service }: Road, piece: Buffer): Promise<number> {
  return new Promise(resolve => {
    const began = performance.now()
    client.once('data', () => resolve((performance.now() - began) * 1000))
    service.write(piece)
  })
}

export const recordChunk: Benchmark = async folder => {
  let take: ((response: ServerResponse) => void) | undefined
  const asked = () => new Promise<ServerResponse>(resolve => (take = resolve))
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    response.socket?.setNoDelay(true)
    take?.(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const file = join(folder, 'chunks.cassette.yaml')
  const proxy = await spawned([CLI, 'record', file, '--upstream', `http://127.0.0.1:${port}`, '--json'])
  const pipe = await startPeer('pipe', String(port))
  const roads = [
    await openRoad(port, asked),
    await openRoad(portOf(pipe), asked),
    await openRoad(portOf(proxy), asked),
  ]
  const times: number[][] = [[], [], []]
  const pieces = SSE_PIECES.map(piece => Buffer.from(piece))
  for (let count = 0; count < CHUNKS + WARM_UP; count += 1) {
    // Each road in turn, and another one first each time.
    for (let step = 0; step < roads.length; step += 1) {
      const index = (count + step) % roads.length
      const road = roads[index]
      const piece = pieces[count % pieces.length]
      if (road === undefined || piece === undefined) continue
      const time = await timeChunk(road, piece)
      if (count >= WARM_UP) times[index]?.push(time)
    }
  }
  for (const { service } of roads) service.end()
  const [direct = Number.NaN, piped = Number.NaN, recorded = Number.NaN] = times.map(median)
  await new Promise(resolve => setImmediate(resolve))
  for (const { client } of roads) client.destroy()
  await Promise.all([proxy.end(), pipe.end()])
  server.close()
  const added = { ours: recorded - direct, theirs: piped - direct }
  const ratio = added.ours / added.theirs
  return [
    {
      what: 'recording proxy, added to each chunk, p50',
      wiretape: figure(added.ours, 'µs'),
      beside: `TCP pipe ${figure(added.theirs, 'µs')}`,
      result: figure(ratio, ''),
      bar: `≤ ${BAR}`,
      holds: ratio <= BAR,
      how: `${CHUNKS} chunks one by one on each of three roads in turn; ${figure(direct, 'µs')} without anything between`,
    },
  ]
}
