/** A replay of sockets that tells what each client sends: which recorded connection a message was matched to. */
import { describe, expect, it } from 'vitest'
import { live } from '../../src/dialect/live.ts'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { tellingReceived } from '../../src/replay/live-received.ts'
import type { LiveInput, LiveOptions } from '../../src/replay/live.ts'
import type { HeaderList } from '../../src/wire/headers.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'
import { client, connection, ready, replayOf, said, server, setup, turnComplete } from './live-playbook.ts'

const OTHER = { setup: { model: 'models/other' } }
const exchanges = [
  connection([client(setup), server(ready), client(said('x')), server(turnComplete)]),
  connection([client(OTHER), server(ready)]),
]

/** Feeds inputs, and gives the `received` that each message brought, which is always the first command. */
function told(inputs: readonly LiveInput[], options: Partial<LiveOptions> = {}) {
  const redactor = createRedactor(SECRET_RULES)
  const replay = tellingReceived(replayOf(exchanges, { redactor, ...options }), { dialect: live, redactor })
  return inputs.flatMap((input, now) => {
    const [first, ...rest] = replay.handle(input, now)
    expect(rest.filter(({ type }) => type === 'received')).toEqual([])
    return first?.type === 'received' ? [first.received] : []
  })
}

const opens = (id: number, query = '', headers: HeaderList = []): LiveInput => {
  const url = `/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent${query}`
  return { type: 'open', id, url, headers }
}
const says = (id: number, message: unknown): LiveInput => {
  return { type: 'message', id, bytes: encodeUtf8(JSON.stringify(message)), frame: 'text' }
}

const operation = 'GenerativeService.BidiGenerateContent'
const first = { file: 'a.cassette.yaml', exchange: 1 }
const refused = { file: undefined, exchange: undefined }

describe('a message', () => {
  it('is told with the connection that its socket plays, from the first on', () => {
    expect(told([opens(1), opens(2), says(2, OTHER), says(1, setup), says(1, said('x'))])).toEqual([
      { file: 'a.cassette.yaml', exchange: 2, operation, socket: 2, message: OTHER },
      { ...first, operation, socket: 1, message: setup },
      { ...first, operation, socket: 1, message: said('x') },
    ])
  })

  it('that is not on the recording was matched to nothing, nor is what follows it', () => {
    expect(told([opens(1), says(1, setup), says(1, said('y')), says(1, said('x'))])).toMatchObject([
      first,
      refused,
      { ...refused, message: said('x') },
    ])
    const unknown = { setup: { model: 'models/unknown' } }
    expect(told([opens(1), says(1, unknown), says(1, said('x'))])).toEqual([
      { ...refused, operation, socket: 1, message: unknown },
      { ...refused, operation, socket: 1, message: said('x') },
    ])
  })

  it('of the recorded kind is matched where the route is enough', () => {
    const inputs = [opens(1), says(1, { setup: { model: 'models/unknown' } }), says(1, said('y'))]
    expect(told(inputs, { match: 'route' })).toMatchObject([first, first])
    const other = [opens(1), says(1, setup), says(1, { realtimeInput: { text: 'x' } })]
    expect(told(other, { match: 'route' })).toMatchObject([first, refused])
  })

  it('shows no secret that its socket was opened with', () => {
    const key = 'a-key-of-no-known-shape'
    const open = opens(1, `?key=${key}`, [['authorization', `Bearer ${key}-too`]])
    const text = JSON.stringify(told([open, says(1, setup), says(1, said(`${key} and ${key}-too`))]))
    expect(text).toContain('redacted-')
    expect(text).not.toContain(key)
  })
})
