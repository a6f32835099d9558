/** Clients that leave a recorded socket, one for each kind of failure. */
import type { SocketMessage } from '../../src/cassette/model.ts'
import type { CauseName } from '../../src/dialect/cause.ts'
import type { Failure } from '../../src/replay/http.ts'
import type { JsonObject, JsonValue } from '../../src/wire/json.ts'
import type { Golden } from './golden-requests.ts'
import {
  answer,
  call,
  client,
  closed,
  connection,
  playbook,
  type Playbook,
  ready,
  replayOf,
  said,
  server,
  sound,
  speech,
  turnComplete,
} from './live-playbook.ts'

const setup = (more: JsonObject = {}): JsonValue => ({
  setup: {
    model: 'models/gemini-live',
    systemInstruction: { parts: [{ text: 'You know the sea.' }] },
    generationConfig: { responseModalities: ['TEXT'] },
    ...more,
  },
})
const resumes = (handle: string | undefined): JsonValue =>
  setup({ sessionResumption: handle === undefined ? {} : { handle } })
const typed = (text: string): JsonValue => ({ realtimeInput: { text } })
const update = (newHandle: string): JsonValue => ({ sessionResumptionUpdate: { newHandle, resumable: true } })

const talk: readonly SocketMessage[] = [
  client(setup()),
  server(ready),
  client(said('When is high tide?')),
  server(speech('Where?')),
  server(turnComplete),
  client(said('In Whitby.')),
  server(call('t4d8')),
  client(answer('t4d8')),
  server(speech('At 14:05.')),
  server(turnComplete),
  closed('client', 1000),
]

/** The only failure of a client that does this, where these connections are recorded. */
function failing(
  recorded: readonly (readonly SocketMessage[])[],
  act: (play: Playbook) => unknown,
): () => Failure {
  return () => {
    const replay = replayOf(recorded.map(messages => connection(messages)))
    act(playbook(replay).opens())
    const [failure] = replay.report().failures
    if (failure === undefined) throw new Error('nothing failed')
    return failure
  }
}

const golden = (
  file: string,
  cause: CauseName,
  says: string,
  act: (play: Playbook) => unknown,
  recorded: readonly (readonly SocketMessage[])[] = [talk],
): Golden => ({ file: `live-${file}`, cause, says, fail: failing(recorded, act) })

/** Every failure over a socket. */
export const GOLDEN_SOCKETS: readonly Golden[] = [
  golden('model', 'model-changed', 'the model is gemini-other, recorded with gemini-live', play =>
    play.says(setup({ model: 'models/gemini-other' })),
  ),
  golden('system-instruction', 'system-instruction-changed', 'the system instruction changed', play =>
    play.says(setup({ systemInstruction: { parts: [{ text: 'You know the land.' }] } })),
  ),
  golden(
    'generation-config',
    'generation-config-changed',
    'the generation config changed (responseModalities)',
    play => play.says(setup({ generationConfig: { responseModalities: ['AUDIO'] } })),
  ),
  golden(
    'handle',
    'session-handle-changed',
    'it resumes another session',
    play => play.says(resumes(undefined)).leaves().opens(2).says(resumes('from-elsewhere'), 2),
    [
      [client(resumes(undefined)), server(ready), server(update('h-1'))],
      [client(resumes('h-1')), server(ready)],
    ],
  ),
  golden('again', 'same-request-again', 'it is the same connection again', play =>
    play.says(setup()).opens(2).says(setup(), 2),
  ),
  golden('sound-first', 'message-kind-changed', 'it begins with 40 ms of audio, recorded with setup', play =>
    play.says(sound(40)),
  ),
  golden(
    'operation',
    'operation-unknown',
    'the recording has no connection at all',
    play => play.says(setup()),
    [],
  ),
  golden('text', 'user-text-changed', 'the text of the last user message changed', play =>
    play.says(setup()).says(said('When is high tide?')).says(said('In Hull.')),
  ),
  golden('kind', 'message-kind-changed', 'realtimeInput.text came, recorded is clientContent', play =>
    play.says(setup()).says(typed('When is high tide?')),
  ),
  golden('history-longer', 'history-longer', 'the history is longer by 1 turn', play =>
    play.says(setup()).says({
      clientContent: {
        turns: [
          { role: 'user', parts: [{ text: 'Hello.' }] },
          { role: 'user', parts: [{ text: 'When is high tide?' }] },
        ],
        turnComplete: true,
      },
    }),
  ),
  golden('message-again', 'message-again', 'it is the same message again', play =>
    play.says(setup()).says(said('When is high tide?')).says(said('When is high tide?')),
  ),
  golden('order', 'out-of-order', 'it is out of order, recorded as message 6', play =>
    play.says(setup()).says(said('In Whitby.')),
  ),
  golden('unexpected', 'message-unexpected', 'no further clientContent is recorded', play =>
    play
      .says(setup())
      .says(said('When is high tide?'))
      .says(said('In Whitby.'))
      .says(answer('t4d8'))
      .says(said('Thanks.')),
  ),
  golden(
    'response-id',
    'function-response-id-changed',
    'answers call t4d9, recorded as the answer to call t4d8',
    play =>
      play
        .says(setup())
        .says(said('When is high tide?'))
        .says(said('In Whitby.'))
        .says({ toolResponse: { functionResponses: [{ id: 't4d9', name: 'f', response: { of: 't4d8' } }] } }),
  ),
  golden(
    'response-id-long',
    'function-response-id-changed',
    'the function response of f answers call zzz',
    play =>
      play
        .says(setup())
        .says(said('When is high tide?'))
        .says(said('In Whitby.'))
        .says({
          toolResponse: { functionResponses: [{ id: 'z'.repeat(100_000), name: 'f', response: {} }] },
        }),
  ),
  golden(
    'response-says',
    'function-response-changed',
    'the function response of f says something else',
    play =>
      play
        .says(setup())
        .says(said('When is high tide?'))
        .says(said('In Whitby.'))
        .says({ toolResponse: { functionResponses: [{ id: 't4d8', name: 'f', response: { of: 'noon' } }] } }),
  ),
  golden(
    'after-sound',
    'user-text-changed',
    'the text that the user typed changed',
    play => play.says(setup()).says(sound(20)).says(sound(20)).says(typed('Hull')),
    [
      [
        client(setup()),
        server(ready),
        client(sound(40)),
        client(typed('Whitby')),
        server(speech('At 14:05.')),
      ],
    ],
  ),
  golden('stall', 'message-missing', 'message 3, clientContent is missing', play =>
    play.says(setup()).after(10_000),
  ),
  golden('silent', 'client-silent', 'sent nothing for 10000 ms', play => play.after(10_000)),
  golden(
    'close',
    'close-changed',
    'closed with 1007 "Request contains an invalid argument", recorded as closed with 1000',
    play =>
      play
        .says(setup())
        .says(said('When is high tide?'))
        .says(said('In Whitby.'))
        .says(answer('t4d8'))
        .leaves(1007, 'Request contains an invalid argument'),
  ),
]
