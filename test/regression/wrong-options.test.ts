/** What plain JavaScript may get wrong in a call is told there, and not by a crash in the middle of a test. */
import { describe, expect, it } from 'vitest'
import { cassette } from '../../src/build/entry.ts'
import {
  createRecordServer,
  createReplayServer,
  parseCassette,
  saveCassette,
  useCassette,
  type MadeCassette,
  type RecordOptions,
  type ReplayOptions,
  type SaveOptions,
  type UseCassetteOptions,
} from '../../src/index.ts'
import { startTestTape } from '../../src/integrations/test-end.ts'
import { newFile } from '../integrations/service.ts'

const HELLO = cassette().on('gemini-2.5-flash', 'Hello').answers('Hi.')

const WRONG: Readonly<Record<string, readonly [options: object, says: RegExp]>> = {
  'a match that there is not': [{ match: 'rout' }, /`match` is "rout".*Did you mean `route`\?/s],
  'a match that is no word': [{ match: null }, /`match` is "null".*`route`, `body` or `strict-order`/s],
  'an ignore that is no list': [{ ignore: '/seed' }, /`ignore` is no list.*`ignore: \["\/seed"\]`/s],
  'an ignore of numbers': [{ ignore: [5] }, /`ignore` is no list/],
  'an ignore that is no pointer': [{ ignore: ['seed'] }, /is no JSON pointer/],
  'an allow that is no list': [{ allow: 'abandoned' }, /`allow` is no list.*`allow: \["abandoned"\]`/s],
  'an allow that there is not': [{ allow: ['all'] }, /is nothing that can be allowed/],
  'a pace that there is not': [{ pace: 'fast' }, /The pace is/],
}

describe.each(Object.entries(WRONG))('%s', (_, [options, says]) => {
  const wrong = options as UseCassetteOptions
  const refused = { code: 'WIRETAPE_USAGE', message: expect.stringMatching(says) as string }

  it('is wrong use, whether it is replayed or recorded', async () => {
    await expect(useCassette(HELLO, wrong)).rejects.toMatchObject(refused)
    for (const mode of ['once', 'all', 'new-episodes'] as const) {
      await expect(useCassette(newFile(), { ...wrong, mode })).rejects.toMatchObject(refused)
    }
  })
})

describe('an option that there is not', () => {
  const says = (taker: string, option: string, nearest: string) => ({
    code: 'WIRETAPE_USAGE',
    message: expect.stringMatching(
      `^${taker} has no option \`${option}\`\\.\n\nIt has .*Did you mean \`${nearest}\`\\?$`,
    ) as string,
  })

  it('is told with those that there are, whoever is asked', async () => {
    const file = newFile()
    await saveCassette(file, HELLO)
    const match = { mach: 'route' } as UseCassetteOptions
    await expect(useCassette(file, match)).rejects.toMatchObject(says('`useCassette`', 'mach', 'match'))
    await expect(startTestTape(file, match)).rejects.toMatchObject(
      says('The cassette of a test', 'mach', 'match'),
    )
    await expect(createReplayServer(file, { pase: 'recorded' } as ReplayOptions)).rejects.toMatchObject(
      says('`createReplayServer`', 'pase', 'pace'),
    )
    await expect(createRecordServer(newFile(), { upstraem: '' } as RecordOptions)).rejects.toMatchObject(
      says('`createRecordServer`', 'upstraem', 'upstream'),
    )
    await expect(saveCassette(newFile(), HELLO, { exsting: 'refuse' } as SaveOptions)).rejects.toMatchObject(
      says('`saveCassette`', 'exsting', 'existing'),
    )
  })

  it('is told of what is no object at all', async () => {
    await expect(useCassette(HELLO, 'replay' as unknown as UseCassetteOptions)).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      message: expect.stringContaining('`useCassette` takes its options as an object.') as string,
    })
  })
})

describe('what is no cassette', () => {
  it.each([
    ['a promise of one', parseCassette(HELLO.render()), /a promise.*Await it/s],
    ['a URL', new URL('file:///a.cassette.yaml'), /a URL.*fileURLToPath/s],
    ['nothing', undefined, /this is undefined/],
    ['null', null, /this is null/],
    ['an object', {}, /something else/],
  ])('is told: %s', async (_, value, says) => {
    const refused = { code: 'WIRETAPE_USAGE', message: expect.stringMatching(says) as string }
    await expect(useCassette(value as string)).rejects.toMatchObject(refused)
    await expect(saveCassette(newFile(), value as MadeCassette)).rejects.toMatchObject(refused)
  })
})
