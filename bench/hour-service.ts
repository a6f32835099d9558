/** The service of the hour of Live, for whoever records it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { serveHour } from '../test/memory/hour.ts'

/** A service that answers on a port of its own. */
export interface HourService {
  readonly url: string
  close(): void
}

/** Starts it. */
export async function startHourService(): Promise<HourService> {
  const http = createServer()
  new WebSocketServer({ server: http, perMessageDeflate: false }).on('connection', socket =>
    serveHour(socket),
  )
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void http.close() }
}
