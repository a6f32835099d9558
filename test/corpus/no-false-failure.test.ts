/**
 * A replay fails only where the app says something else: every recording of another project's test server replays
 * to a client in another language, and none of them to one that changes anything.
 *
 * The folder is named by `WIRETAPE_CORPUS`; where it is not set, these tests say that they are skipped.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/wire/json.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { startReplaying } from '../serve/replaying.ts'
import { foreign, type Recording, recordings, type Sent } from './foreign-client.ts'
import { CORPUS } from './recordings.ts'

const all = CORPUS === undefined ? [] : recordings(CORPUS)

/** Real changes: each makes another request of it. */
const CHANGES: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  'another word': body => lastText(body) as JsonObject,
  'another setting': body => ({
    ...body,
    generationConfig: { ...(body['generationConfig'] as JsonObject | undefined), seed: 41 },
  }),
  'a key of the user in another case': body => inUserData(body) as JsonObject,
  'one turn less': body => ({ ...body, contents: ((body['contents'] ?? [1]) as JsonValue[]).slice(1) }),
}

/** The same with its last string that is longer than a word changed by a full stop. */
function lastText(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `${value}.`
  if (Array.isArray(value))
    return value.map((item, index) => (index === value.length - 1 ? lastText(item) : item))
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value)
  const key =
    ['contents', 'instances', 'parts', 'text', 'content'].find(name => keys.includes(name)) ?? keys.at(-1)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === key ? lastText(item) : item]),
  )
}

/** The same with each name of an argument, a property or a response in another case. */
function inUserData(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inUserData)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] =>
      ['args', 'properties', 'response'].includes(key) && typeof item === 'object' && item !== null
        ? [key, Object.fromEntries(Object.entries(item).map(([name, one]) => [otherCase(name), one]))]
        : [key, inUserData(item)],
    ),
  )
}

const otherCase = (name: string): string =>
  name.includes('_')
    ? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const bodyOf = ({ body }: Sent): string => new TextDecoder().decode(body)

function answerOf(stream: string): unknown {
  return stream
    .split('\r\n\r\n')
    .filter(event => event !== '')
    .map(event => JSON.parse(event.replace(/^data: /, '')) as unknown)
}

describe.skipIf(CORPUS === undefined)(
  'a recording of another client (skipped without WIRETAPE_CORPUS)',
  () => {
    it('is one of 94', () => {
      expect(all).toHaveLength(94)
      expect(all.flatMap(({ kept }) => kept)).toHaveLength(127)
    })

    it.each(all)('replays to a client in another language: $name', async ({ kept, yaml }) => {
      await using replaying = await startReplaying(yaml)
      for (const one of kept) {
        const { statusCode, headers, bodySegments = [] } = one.response
        const { status, body } = await rawRequest(replaying.server.url, foreign(one))
        expect(status, body.toString()).toBe(statusCode)
        const text = body.toString()
        if (headers['Content-Type']?.startsWith('text/event-stream'))
          expect(answerOf(text)).toEqual(bodySegments)
        else expect(text === '' ? [] : [JSON.parse(text)]).toEqual(bodySegments)
      }
      expect(await replaying.server.close()).toMatchObject({
        failures: [],
        leftovers: [],
        played: kept.length,
      })
    })

    describe.each(Object.entries(CHANGES))('with %s', (name, change) => {
      const changed = all.flatMap((recording: Recording) =>
        recording.kept.flatMap((one, index) =>
          bodyOf(foreign(one, change)) === bodyOf(foreign(one)) ? [] : [{ recording, one, index }],
        ),
      )

      it(`is changed in enough of them to be worth it`, () => {
        expect(changed.length).toBeGreaterThan(name.startsWith('a key') ? 0 : 90)
      })

      it('is refused, each of them, and something of it is left', async () => {
        const refused: unknown[] = []
        for (const { recording, one, index } of changed) {
          await using replaying = await startReplaying(recording.yaml)
          const { status, body } = await rawRequest(replaying.server.url, foreign(one, change))
          const { failures, leftovers } = await replaying.server.close()
          const cause = failures[0]?.details['cause']
          refused.push({ status, cause: typeof cause, failures: failures.length })
          if (status !== 400) throw new Error(`${recording.name}, ${index}: ${body.toString().slice(0, 500)}`)
          expect(leftovers.length).toBeGreaterThan(0)
        }
        expect(refused).toEqual(changed.map(() => ({ status: 400, cause: 'string', failures: 1 })))
      })
    })
  },
)
