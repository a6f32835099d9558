/** The cassettes of the chat-wrapper case, built: a delegation in one chunk or streamed, and what follows from it. */
import {
  argument,
  call,
  cassette,
  chunk,
  fields,
  model,
  result,
  streamedCall,
  usage,
  user,
  type CassetteBuilder,
  type Turn,
  type ModelItem,
} from '../../../src/build/entry.ts'
import { configIn } from './config.ts'

const MODEL = 'gemini-3.6-flash'
const QUESTION = user('What are the top landing pages?')
const TOLD = { result: 'The top landing pages are / and /pricing.' }

const dispatch = (signature?: string) =>
  call('ga_specialist', { request: 'Top landing pages' }, { id: 'fc-dispatch-1', signature })
const property = call('get_property', { name: 'shop' }, { id: 'fc-tool-1', signature: 'c2lnMQ==' })
const dispatched = result('ga_specialist', TOLD, { id: 'fc-dispatch-1' })

const used = (prompt: number, candidates: number) =>
  usage({ promptTokenCount: prompt, candidatesTokenCount: candidates, totalTokenCount: prompt + candidates })

/** One case: how the coordinator delegates, and what its second request looks back on. */
interface Case {
  readonly name: string
  readonly delegates: readonly ModelItem[]
  readonly counts: readonly [prompt: number, candidates: number]
  readonly history: readonly Turn[]
}

function built({ name, delegates, counts, history }: Case): CassetteBuilder {
  const config = (number: number) => configIn(`cases/chat-wrapper-${name}`, number)
  return cassette()
    .on(MODEL, { contents: [QUESTION], ...config(1) })
    .streams(...delegates, used(...counts), fields({ responseId: 'r1' }))
    .on(MODEL, { contents: [user('{"request": "Top landing pages"}')], ...config(2) }, { match: 'route' })
    .streams(
      call('finish_task', TOLD, { id: 'fc-finish-1', signature: 'c2lnMg==' }),
      used(118, 21),
      fields({ responseId: 'r2' }),
    )
    .on(MODEL, { contents: [QUESTION, ...history], ...config(3) }, { match: 'route' })
    .streams('The top landing pages ', 'are / and /pricing.', used(171, 12), fields({ responseId: 'r3' }))
}

const WHOLE: Case = {
  name: 'whole-call',
  delegates: [dispatch('c2lnMQ=='), ''],
  counts: [96, 18],
  history: [model(dispatch('c2lnMQ=='), ''), user(dispatched)],
}

export const CHAT_WRAPPER: Readonly<Record<string, () => CassetteBuilder>> = {
  'cases/chat-wrapper-whole-call': () => built(WHOLE),

  'cases/chat-wrapper-next-turn': () =>
    built({ ...WHOLE, name: 'next-turn' })
      .on(
        MODEL,
        {
          contents: [QUESTION, ...WHOLE.history, model(TOLD.result), user('Thanks.')],
          ...configIn('cases/chat-wrapper-next-turn', 4),
        },
        { match: 'route' },
      )
      .streams('You are welcome.', used(190, 4), fields({ responseId: 'r4' })),

  'cases/chat-wrapper-mixed-turn': () =>
    built({
      name: 'mixed-turn',
      delegates: [chunk(property, dispatch()), ''],
      counts: [96, 31],
      history: [
        model(property, dispatch(), ''),
        user(dispatched, result('get_property', { property: 'properties/42' }, { id: 'fc-tool-1' })),
      ],
    }),

  'cases/chat-wrapper-streamed-arguments': () =>
    built({
      name: 'streamed-arguments',
      delegates: [
        streamedCall('ga_specialist', [argument('$.request', 'Top landing ', 'pages')], {
          id: 'fc-dispatch-1',
          signature: 'c2lnMQ==',
        }),
      ],
      counts: [96, 18],
      history: [model(dispatch('c2lnMQ==')), user(dispatched)],
    }),
}
