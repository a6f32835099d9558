/**
 * The demo's Live sessions: with the official SDK where it is installed, else with the `ws` package.
 *
 * Room: cli.
 */
import type { GoogleGenAI, LiveConnectConfig } from '@google/genai'
import type { Part } from './demo-client.ts'

/** A message of the service, as far as the demo looks at it. */
export interface LiveMessage {
  readonly setupComplete?: object
  readonly serverContent?: {
    readonly modelTurn?: { readonly parts?: readonly Part[] }
    readonly interrupted?: boolean
    readonly turnComplete?: boolean
  }
}

/** The app's side of a session. */
export interface LiveSession {
  say(text: string): void
  close(): void
}

/** Told of each message, in order. */
export type LiveListener = (message: LiveMessage, session: LiveSession) => void

/** What a client library tells of its socket. */
interface Callbacks {
  readonly message: (message: unknown) => void
  readonly failed: (error: Error) => void
  readonly closed: (code: number, reason: string) => void
}

/** Where the sockets are (js-genai `live.ts`); the double slash is as the SDK makes it. */
const PATH = '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=none'

/** A session by the SDK. Settles as {@link converse} does. */
export function sdkConversation(ai: GoogleGenAI, model: string, hear: LiveListener): Promise<void> {
  // The SDK's types have an enumeration where the wire has a string.
  const config: LiveConnectConfig = JSON.parse(JSON.stringify({ responseModalities: ['TEXT'] }))
  return converse(hear, async ({ message, failed, closed }) => {
    const live = await ai.live.connect({
      model,
      config,
      callbacks: {
        onmessage: message,
        onerror: ({ message: text }) => failed(new Error(text)),
        onclose: ({ code, reason }) => closed(code, reason),
      },
    })
    return { say: text => live.sendClientContent({ turns: text }), close: () => live.close() }
  })
}

/** The same on a bare socket. */
export function socketConversation(baseUrl: string, model: string, hear: LiveListener): Promise<void> {
  return converse(hear, async ({ message, failed, closed }) => {
    const { WebSocket } = await import('ws')
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}${PATH}`)
    const send = (value: object): void => socket.send(JSON.stringify(value))
    socket.on('message', data => message(JSON.parse(Buffer.isBuffer(data) ? data.toString() : 'null')))
    socket.on('error', failed)
    socket.on('close', (code, reason) => closed(code, reason.toString()))
    const setup = { model: `models/${model}`, generationConfig: { responseModalities: ['TEXT'] } }
    socket.on('open', () => send({ setup }))
    return {
      say: text =>
        send({
          clientContent: { turns: [{ parts: [{ text }], role: 'user' }], turnComplete: true },
        }),
      close: () => socket.close(),
    }
  })
}

/** Resolves when the app has closed the session, and rejects if it ends in any other way. */
function converse(
  hear: LiveListener,
  connect: (callbacks: Callbacks) => Promise<LiveSession>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // What comes before the library has handed over its session.
    const early: LiveMessage[] = []
    let session: LiveSession | undefined
    let left = false
    const opening = connect({
      message(message) {
        const copy: LiveMessage = JSON.parse(JSON.stringify(message))
        if (session === undefined) early.push(copy)
        else hear(copy, session)
      },
      failed: reject,
      closed(code, reason) {
        if (left) resolve()
        else reject(new Error(`the session was closed with ${code} ${reason}`))
      },
    })
    opening.then(opened => {
      session = {
        say: text => opened.say(text),
        close() {
          left = true
          opened.close()
        },
      }
      for (const message of early) hear(message, session)
    }, reject)
  })
}
