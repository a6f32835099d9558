/** The shipped cassettes of models, built: streams, errors, a tool turn, a call whose arguments are streamed. */
import {
  argument,
  at,
  call,
  cassette,
  chunk,
  cuts,
  end,
  error,
  fields,
  finish,
  head,
  joined,
  model,
  result,
  streamedCall,
  text,
  usage,
  user,
  type CassetteBuilder,
} from '../../../src/build/entry.ts'
import { configIn } from './config.ts'

const base = 'https://generativelanguage.googleapis.com/v1'
const VERTEX = 'https://aiplatform.googleapis.com/v1beta1/projects/redacted-project-1/locations/global'

/** Usage of the sea answer after some tokens. */
const salty = (candidatesTokenCount?: number) =>
  usage({
    promptTokenCount: 7,
    candidatesTokenCount,
    totalTokenCount: 7 + (candidatesTokenCount ?? 0),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }],
  })

const counted = (prompt: number, candidates: number, more: object = {}) =>
  usage({
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    ...more,
  })

const TIDE_SIGNATURE = 'Q2k0QmEgbWFkZS11cCBzaWduYXR1cmUgZm9yIHRoZSB0aWRlIGNhbGwsIG5vYm9keSdzIHRob3VnaHRz'
const tideCall = call('get_tide', { harbour: 'Whitby' }, { id: 'q7w2m9xk', signature: TIDE_SIGNATURE })

export const MODELS: Readonly<Record<string, () => CassetteBuilder>> = {
  'streamed-answer': () =>
    cassette({ base })
      .on('gemini-2.5-flash', {
        contents: [user('Why is the sea salty?')],
        generationConfig: { temperature: 0.5, maxOutputTokens: 64 },
      })
      .streams(
        head({ at: 391 }),
        fields({ responseId: 'c2VhLXdhdGVyLW5vdGVz' }),
        at(398, chunk('Rivers', salty())),
        at(455, chunk(' dissolve minerals from rock and carry them to the sea,', salty(11))),
        at(
          512,
          cuts([[63, 519]], chunk(' where the sun lifts the water away and leaves the salt', salty(22))),
        ),
        joined(chunk(' behind.', salty(24))),
        end({ at: 520 }),
      ),

  'error-in-mid-stream': () =>
    cassette({ base })
      .on('gemini-2.5-flash', 'Tell me of the Dogger Bank.')
      .streams(
        fields({ responseId: 'ZG9nZ2VyLWJhbmstMQ' }),
        chunk('It was land once,', counted(9, 5)),
        error(503),
      )
      .on('gemini-2.5-flash', 'And of Doggerland?')
      .streams(
        fields({ responseId: 'ZG9nZ2VyLWJhbmstMg' }),
        chunk('Hunters lived', counted(7, 3)),
        error(499, 'The operation was cancelled.', { framing: 'bare' }),
      ),

  'quota-429': () =>
    cassette({ base })
      .on('gemini-2.5-flash', 'Name a lighthouse.', { repeat: 'always' })
      .fails(429, 'You exceeded your current quota. Please retry in 17.2s.', {
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [
              {
                quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
                quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
                quotaDimensions: { location: 'global', model: 'gemini-2.5-flash' },
                quotaValue: '10',
              },
            ],
          },
        ],
        retryDelay: '17.2s',
      }),

  'unknown-model-404': () =>
    cassette({ base })
      .on('gemini-0.1-lighthouse', 'Is anyone there?')
      .fails(
        404,
        'models/gemini-0.1-lighthouse is not found for API version v1, or is not supported for generateContent.',
        {
          asked: 'streamed',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.DebugInfo',
              detail:
                '[ORIGINAL ERROR] generic::not_found: models/gemini-0.1-lighthouse is not found for API version v1.',
            },
          ],
        },
      ),

  'tool-turn': () => {
    const config = configIn('tool-turn', 1)
    const question = user('When is high tide in Whitby?')
    const tide = result('get_tide', { time: '16:42', height_m: 5.4 }, { id: 'q7w2m9xk' })
    return cassette({ base })
      .on('gemini-3-pro-preview', { contents: [question], ...config })
      .answers(
        tideCall,
        finish('STOP', { message: 'Model generated function call(s).' }),
        usage({
          promptTokenCount: 49,
          candidatesTokenCount: 16,
          totalTokenCount: 139,
          promptTokensDetails: [{ modality: 'TEXT', tokenCount: 49 }],
          thoughtsTokenCount: 74,
        }),
        fields({ responseId: 'dGlkZS10YWJsZS1vbmU' }),
      )
      .on('gemini-3-pro-preview', { contents: [question, model(tideCall), user(tide)], ...config })
      .answers(
        text('High tide in Whitby is at 16:42, at 5.4 metres.', {
          signature: 'RWp1ZCBhbm90aGVyIG1hZGUtdXAgb25l',
        }),
        counted(118, 19),
        fields({ responseId: 'dGlkZS10YWJsZS10d28' }),
      )
  },

  'streamed-arguments': () =>
    cassette({ base: VERTEX })
      .on('gemini-3-pro-preview', {
        contents: [user('Book a berth in Whitby for a boat of 9.5 metres.')],
        ...configIn('streamed-arguments', 1),
      })
      .streams(
        fields({
          usageMetadata: { trafficType: 'ON_DEMAND' },
          createTime: '2026-11-30T10:12:06.104210Z',
          responseId: 'YmVydGgtYm9va2luZy0x',
        }),
        streamedCall('book_berth', [argument('$.harbour', 'Whitby', ''), argument('$.length_m', 9.5)], {
          signature: 'Q2lRQiBhIG1hZGUtdXAgc2lnbmF0dXJlIGZvciB0aGUgYmVydGggY2FsbA==',
        }),
        usage({
          promptTokenCount: 41,
          candidatesTokenCount: 21,
          totalTokenCount: 153,
          trafficType: 'ON_DEMAND',
          promptTokensDetails: [{ modality: 'TEXT', tokenCount: 41 }],
          candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 21 }],
          thoughtsTokenCount: 91,
        }),
      ),
}
