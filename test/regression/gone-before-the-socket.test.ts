/** A client that gave up before its socket was open once went unseen, and the service was kept waiting for it. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { clientOf, disposing, PATH, recordingOf } from '../serve/socket-recording.ts'

it('hangs up on a service that is still to answer when the client leaves', async () => {
  const service = createServer()
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  disposing({ close: async () => service.close() })
  const recording = await recordingOf(`http://127.0.0.1:${(service.address() as AddressInfo).port}`)
  const client = clientOf(`${recording.server.url.replace('http', 'ws')}${PATH}`)
  const [connection] = (await once(service, 'connection')) as [Socket]
  connection.on('error', () => undefined)
  await once(connection, 'data')
  const closed = once(connection, 'close')
  client.terminate()
  await closed
  await recording.finished(1)
  expect(recording.exchanges).toMatchObject([{ status: undefined, outcome: 'client-abort' }])
})
