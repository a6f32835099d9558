/** The shipped cassettes of Live, built: turns, tools, interruptions, closes, sound, a session that is resumed. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  call,
  cassette,
  client,
  result,
  server,
  together,
  type CassetteBuilder,
  type LiveItem,
} from '../../../src/build/entry.ts'
import { SHIPPED } from './config.ts'

const TEXT_MODEL = 'models/gemini-live-2.5-flash-preview'
const SETUP = { model: TEXT_MODEL, generationConfig: { responseModalities: ['TEXT'] } }
const WITH_TIDES = {
  ...SETUP,
  tools: [
    {
      functionDeclarations: [
        {
          name: 'get_tide',
          description: 'The next high tide at a harbour.',
          parameters: { type: 'OBJECT', properties: { harbour: { type: 'STRING' } }, required: ['harbour'] },
        },
      ],
    },
  ],
}
const UNIMPLEMENTED = 'Operation is not implemented, or supported, or enabled.'

/** Usage of a turn; `thoughts` are counted in the total. */
function counts(prompt: number, response: number, { modality = 'TEXT', thoughts = 0 } = {}) {
  return {
    promptTokenCount: prompt,
    responseTokenCount: response,
    totalTokenCount: prompt + response + thoughts,
    promptTokensDetails: [{ modality, tokenCount: prompt }],
    responseTokensDetails: [{ modality, tokenCount: response }],
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
  }
}

function session(setup: object, ...says: readonly LiveItem[]): () => CassetteBuilder {
  return () => cassette().live(setup, says)
}

const tide = (harbour: string, id: string) => call('get_tide', { harbour }, { id })
const gave = (time: string, height: number, id: string) =>
  result('get_tide', { time, height_m: height }, { id })

/** Sound of the shipped cassette, which is no shape: a stretch of one of its files. */
function tone(file: string, from: number, length: number): Uint8Array {
  const bytes = readFileSync(resolve(SHIPPED, 'live-audio-turn.cassette.blobs', file))
  return new Uint8Array(bytes.subarray(from, from + length))
}

export const LIVE: Readonly<Record<string, () => CassetteBuilder>> = {
  'live-text-turn': session(
    { ...SETUP, generationConfig: { responseModalities: ['TEXT'], temperature: 0.5 } },
    client.says('Who kept the light at Flamborough?'),
    server.says('Keepers', ' lived there with their families', ' until the lamp was automated, in 1996.'),
    server.completes(counts(19, 16)),
    client.closes(),
  ),

  'live-tool-call': session(
    WITH_TIDES,
    client.says('When is high tide in Whitby?'),
    server.calls(tide('Whitby', 'function-call-2870113964403')),
    client.responds(gave('16:42', 5.4, 'function-call-2870113964403')),
    server.says('High tide in Whitby', ' is at 16:42, at 5.4 metres.'),
    server.completes(counts(141, 17)),
    client.closes(),
  ),

  'live-parallel-calls': session(
    WITH_TIDES,
    client.says('Is high tide earlier in Whitby or in Scarborough?'),
    server.calls(
      tide('Whitby', 'function-call-6127740915518'),
      tide('Scarborough', 'function-call-6127740915519'),
    ),
    client.responds(
      gave('16:42', 5.4, 'function-call-6127740915518'),
      gave('16:58', 5.6, 'function-call-6127740915519'),
    ),
    server.says('Earlier in Whitby:', ' 16:42, against 16:58 in Scarborough.'),
    server.completes(counts(188, 21)),
    client.closes(),
  ),

  'live-cancelled-call': session(
    WITH_TIDES,
    client.says('When is high tide in Whitby?'),
    server.calls(tide('Whitby', 'function-call-4410957721306')),
    client.says('Never mind. Where does the ferry to Heligoland sail from?'),
    server.cancels('function-call-4410957721306'),
    server.interrupted(),
    server.turnComplete(),
    server.says('From Cuxhaven,', ' and in summer from Hamburg too.'),
    server.completes(counts(155, 12)),
    client.closes(),
  ),

  'live-interrupted-text': session(
    SETUP,
    client.says('Tell me the history of the lighthouse at Flamborough Head.'),
    server.says('The first tower on the headland', ' was built of chalk in the seventeenth century'),
    client.says('Stop. Just the year it was lit.'),
    server.says(', and nobody knows whether'),
    server.interrupted(),
    server.turnComplete(counts(24, 19)),
    server.says('1806.'),
    server.completes(counts(61, 4)),
    client.closes(),
  ),

  'live-interrupted-thought': session(
    {
      ...SETUP,
      generationConfig: { responseModalities: ['TEXT'], thinkingConfig: { includeThoughts: true } },
    },
    client.says('Plan me a walk from Whitby to Scarborough.'),
    server.thinks(
      '**Measuring the walk**\n\nIt is the Cleveland Way',
      ', southward along the cliffs, some twenty miles,',
      " so a night in Robin Hood's Bay",
    ),
    client.says('Wait, from Whitby to Staithes.'),
    server.thinks(' would halve it.'),
    server.interrupted(),
    server.turnComplete(),
    server.usage(counts(33, 0, { thoughts: 41 })),
    server.thinks('**Turning north**\n\nStaithes is the other way.'),
    server.says('Go north on the cliff path', ' through Runswick Bay: eleven miles.'),
    server.completes(counts(84, 14, { thoughts: 18 })),
    client.closes(),
  ),

  'live-audio-turn': session(
    {
      model: 'models/gemini-2.5-flash-native-audio-preview-12-2025',
      generationConfig: { responseModalities: ['AUDIO'] },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
    },
    client.audio(tone('1-client.pcm', 0, 3200)),
    client.audio(tone('1-client.pcm', 3200, 3200)),
    client.audioEnds(),
    server.hears('Is the harbour', ' open?'),
    server.audio(tone('1-server.pcm', 0, 4800)),
    server.transcribes('Yes, until'),
    server.audio(tone('1-server.pcm', 4800, 4800)),
    server.audio(tone('1-server.pcm', 9600, 4800)),
    server.transcribes(' ten tonight.'),
    server.completes(counts(38, 22, { modality: 'AUDIO' })),
    client.closes(),
  ),

  'live-close-1000': session(
    SETUP,
    client.says('Read me the shipping forecast.'),
    server.says('Tyne, Dogger:', ' northwest five to seven,'),
    server.closes(1000),
  ),

  'live-close-1007': session(
    SETUP,
    client.says('Which sea areas touch Norway?'),
    server.says('Viking, North Utsire', ' and South Utsire'),
    server.closes(1007, 'Request contains an invalid argument.'),
  ),

  'live-close-1008': session(
    WITH_TIDES,
    client.says('When is high tide in Whitby?'),
    server.calls(tide('Whitby', 'function-call-9034418820077')),
    client.responds(gave('16:42', 5.4, 'function-call-9034418820077')),
    server.closes(1008, UNIMPLEMENTED),
  ),

  'live-close-1011': session(
    SETUP,
    client.says('Where does the North Sea end?'),
    server.says('By most accounts', ' at a line from Norway to Shetland'),
    server.closes(1011, 'Internal error encountered.'),
  ),

  'live-resumed-session': () =>
    cassette()
      .live({ ...SETUP, sessionResumption: {} }, [
        server.setupComplete(),
        server.resumption(),
        client.says('My boat is called Kittiwake. Remember that.'),
        server.says('Kittiwake, like the gull.'),
        server.completes(counts(21, 8)),
        server.resumption('redacted-session-handle-1'),
        server.goesAway('50s'),
        client.closes(),
      ])
      .live({ ...SETUP, sessionResumption: { handle: 'redacted-session-handle-1' } }, [
        client.says('What is my boat called?'),
        server.says('Kittiwake.'),
        server.completes(counts(58, 5)),
        server.resumption('redacted-session-handle-2'),
        client.closes(),
      ]),

  // What no SDK knows is spelled out: it is what this cassette is about.
  'live-unknown-message': session(
    SETUP,
    client.says('What does a fog horn sound like?'),
    server.sends({ pacingHint: { wordsPerMinute: 140 } }),
    server.says('A long low note'),
    server.sends({}),
    server.says(', like a ship clearing its throat.'),
    together(server.sends({ pacingHint: { wordsPerMinute: 120 } }), server.generationComplete()),
    server.turnComplete(counts(20, 13)),
    client.closes(),
  ),
}
