/**
 * An hour of a spoken conversation: 25,000 messages of a client and as many of a service, 400 MB, in turns.
 *
 * Both ends go by what they hear, so that the same client can talk to a service and to its replay.
 */
import type { WebSocket } from 'ws'

/** Messages of both sides. */
export const MESSAGES = 50_000
/** Sound pieces of one turn, of each side. */
const TURN = 50
/** Pieces that the client is ahead of the service. */
const AHEAD = 8

/** Noise, the same in every run, and never the same for long. */
const ENDLESS = ((): string => {
  const samples = new Uint32Array(1_000_000)
  let last = 1
  for (let index = 0; index < samples.length; index += 1) {
    // xorshift32 (Marsaglia 2003).
    last ^= last << 13
    last ^= last >>> 17
    last ^= last << 5
    samples[index] = last
  }
  return Buffer.from(samples.buffer).toString('base64')
})()

/** Another piece of sound for each number, of so many characters of base64. */
function sound(number: number, length: number): string {
  const at = ((number * 9_973) % ((ENDLESS.length - length) / 4)) | 0
  return ENDLESS.slice(at * 4, at * 4 + length)
}

/** The client's message with this number: 100 ms of a microphone, but for the first. */
export function said(number: number): string {
  if (number === 0)
    return '{"setup":{"model":"models/m","generationConfig":{"responseModalities":["AUDIO"]}}}'
  const audio = { data: sound(number, 4_272), mimeType: 'audio/pcm;rate=16000' }
  return JSON.stringify({ realtimeInput: { audio } })
}

/** The service's: 185 ms of speech, or the end of a turn. */
function answered(number: number): string {
  const message =
    number === 0
      ? { setupComplete: {} }
      : number % TURN === 0
        ? { serverContent: { turnComplete: true } }
        : {
            serverContent: {
              modelTurn: {
                parts: [
                  { inlineData: { mimeType: 'audio/pcm;rate=24000', data: sound(number * 3, 11_840) } },
                ],
              },
            },
          }
  return `${JSON.stringify(message, undefined, 2)}\n`
}

/** The service: each message of the client has its answer. */
export function serveHour(socket: WebSocket): void {
  let number = 0
  socket.on('message', data => {
    if ((data as Buffer).toString() !== said(number)) throw new Error(`the client's message ${number}`)
    socket.send(Buffer.from(answered(number)), { binary: true })
    number += 1
  })
}

/**
 * The client: it sends as much as it hears, and closes when it has heard all.
 *
 * @param onMessage - Called with the number of messages that have passed.
 * @param messages - How many there are, of both sides: fewer than an hour has, where not all is needed.
 * @returns The bytes that passed, both ways.
 */
export function talkForAnHour(
  socket: WebSocket,
  onMessage: (count: number) => void,
  messages: number = MESSAGES,
): Promise<number> {
  const rounds = messages / 2
  let sent = 0
  let heard = 0
  let bytes = 0

  function say(): void {
    const message = said(sent)
    sent += 1
    bytes += message.length
    socket.send(message)
  }

  return new Promise((resolve, reject) => {
    socket.once('open', say)
    socket.once('error', reject)
    socket.once('close', code =>
      heard === rounds ? resolve(bytes) : reject(new Error(`closed with ${code} after ${heard} answers`)),
    )
    socket.on('message', data => {
      const text = (data as Buffer).toString()
      if (text !== answered(heard)) reject(new Error(`answer ${heard} is another`))
      heard += 1
      bytes += text.length
      // No sound before the session is there, then a few pieces ahead.
      while (sent < rounds && sent < heard + AHEAD) say()
      onMessage(2 * heard)
      if (heard === rounds) socket.close(1000)
    })
  })
}
