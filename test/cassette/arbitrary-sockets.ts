/** Sockets as a hostile world would speak over them: the input of the properties of `messages`. */
import * as fc from 'fast-check'
import { composeExchange } from '../../src/cassette/compose.ts'
import type { CassetteDocument } from '../../src/cassette/model.ts'
import { live, liveHandshake } from '../../src/dialect/live.ts'
import { encodeBase64 } from '../../src/wire/base64.ts'
import { END_KINDS, type WireClose, type WireExchange, type WireMessage } from '../../src/wire/exchange.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'
import { hostileText, json, jsonText, media, oddJson } from './arbitrary.ts'

/** Texts that would be taken for references to the files of the socket itself. */
const MENTIONS = [
  'blob:1-server.pcm@0+200',
  '"blob:1-client.pcm@0+3"',
  '{"data":"blob:1-server.pcm@0+200"}',
  '{\n  "data": "blob:1-server.pcm@0+200"\n}\n',
  '{"data":"bl\\u006fb:1-client.pcm@0+2"}',
]

const sound = fc
  .tuple(media, fc.constantFrom('audio/pcm', 'audio/pcm;rate=24000', 'AUDIO/PCM', 'image/jpeg', '', 'x y'))
  .map(([data, mimeType]) => ({ inlineData: { mimeType, data } }))

const urlSafe = media.map(base64 => base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))

const message: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.oneof(sound, json).map(value => encodeUtf8(live.spell('server', JSON.parse(JSON.stringify(value))))),
  sound.map(value => encodeUtf8(JSON.stringify(value))),
  // Escaped slashes, and media in text that is no value's spelling.
  sound.map(value => encodeUtf8(JSON.stringify(value, undefined, 3).replaceAll('/', String.raw`\/`))),
  sound.map(value => encodeUtf8(JSON.stringify(value, undefined, 3))),
  urlSafe.map(data => encodeUtf8(JSON.stringify({ audio: { mimeType: 'audio/pcm', data } }))),
  fc.oneof(jsonText, oddJson, hostileText, fc.constantFrom(...MENTIONS)).map(text => encodeUtf8(text)),
  fc.uint8Array({ maxLength: 8 }),
  fc.uint8Array({ minLength: 190, maxLength: 260 }),
)

const messages: fc.Arbitrary<readonly WireMessage[]> = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0.3, 7, 40.6),
      from: fc.constantFrom('client' as const, 'server' as const),
      wanted: fc.constantFrom('text' as const, 'binary' as const),
      bytes: message,
    }),
    { maxLength: 6 },
  )
  .map(list => {
    let at = 3
    return list.map(({ gap, from, wanted, bytes }) => {
      at += gap
      // A text frame holds UTF-8, or its receiver would have closed the socket.
      return { at, from, frame: decodeUtf8(bytes) === undefined ? 'binary' : wanted, bytes }
    })
  })

const close: fc.Arbitrary<WireClose> = fc.record({
  at: fc.constantFrom(4000, 4000.4),
  by: fc.constantFrom('client' as const, 'server' as const),
  code: fc.constantFrom(1000, 1001, 1007, 1008, 1011, 3000, 4404),
  reason: fc.oneof(fc.constantFrom('', 'Internal error encountered.', 'a: b # c', '{'), hostileText),
})

const codeless = fc.constant({ at: 4000, by: 'server' as const, code: undefined, reason: '' })

/** A socket as the journal has it. */
export const wireSocket: fc.Arbitrary<WireExchange> = fc
  .record({
    at: fc.nat({ max: 100_000 }).map(at => at / 10),
    messages,
    close: fc.option(fc.oneof(close, codeless), { nil: undefined }),
    how: fc.option(fc.constantFrom(...END_KINDS), { nil: undefined }),
  })
  .map(({ at, how, ...socket }) => ({
    at,
    request: {
      method: 'GET',
      url: 'wss://api.test/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
      headers: [['X-One', 'a: b']],
      body: undefined,
    },
    response: undefined,
    socket: { ...socket, close: socket.close && { ...socket.close, reason: clipped(socket.close.reason) } },
    end: { at: 5000.2, how },
  }))

/** What fits into a close frame. */
function clipped(reason: string): string {
  return encodeUtf8(reason).length > 123 ? 'long' : reason
}

/** Base64 of so many bytes. */
export function base64Of(length: number): string {
  return encodeBase64(Uint8Array.from({ length }, (_, index) => index % 251))
}

const header: fc.Arbitrary<CassetteDocument> = fc
  .option(hostileText, { nil: undefined })
  .map(note => ({ type: 'header', header: { cassette: 1, recorded: '2026-11-30T10:12:04Z', note } }))

const socketDocument: fc.Arbitrary<CassetteDocument> = fc
  .tuple(wireSocket, fc.option(hostileText, { nil: undefined }))
  .map(([wire, name]) => {
    const { exchange } = composeExchange(wire, liveHandshake, () => 'never', 1)
    return { type: 'exchange', exchange: { ...exchange, name } }
  })

/** The documents of a whole file of sockets. */
export const socketDocuments: fc.Arbitrary<readonly CassetteDocument[]> = fc
  .tuple(header, fc.array(socketDocument, { maxLength: 2 }))
  .map(([first, rest]) => [first, ...rest])
