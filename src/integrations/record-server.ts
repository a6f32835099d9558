/**
 * The recording proxy for programs. It loads what it needs when it is first called.
 *
 * Room: integrations.
 */
import type { RecordTlsOptions } from '../serve/port-tls.ts'
import type { FinishedExchange } from '../serve/recorder.ts'
import type { RecordSummary } from '../store/finish.ts'

/** What {@link createRecordServer} needs to know. */
export interface RecordOptions {
  /**
   * The service to forward to, instead of the Gemini API: a URL, maybe with a path in front of every route, which is
   * not recorded. Without an API version: clients put one into their own paths.
   */
  readonly upstream?: string | undefined
  /** The service to forward to, instead of Vertex AI. */
  readonly vertexUpstream?: string | undefined
  /** The port for the Gemini API; any that is free unless given. */
  readonly port?: number | undefined
  /** The port for Vertex AI; any that is free unless given. */
  readonly vertexPort?: number | undefined
  /**
   * What happens to a cassette that exists: `refuse` unless given; `overwrite` once the new one is complete;
   * `append`: it stays, and the new exchanges come behind it.
   */
  readonly existing?: 'refuse' | 'overwrite' | 'append' | undefined
  /** Kept in the cassette's header. */
  readonly note?: string | undefined
  /** Takes https, wss and tunnels on the same ports: `{}` for all that is usual. Plain only unless given. */
  readonly tls?: RecordTlsOptions | undefined
  /** Told of what was not taken, and why: a request for another host, a client that does not trust our certificates. */
  readonly onNote?: ((text: string) => void) | undefined
  /** Called when an exchange has ended. */
  readonly onExchange?: ((finished: FinishedExchange) => void) | undefined
}

/** A proxy that records. */
export interface RecordServer {
  /** The base URL for the Gemini API. */
  readonly url: string
  /** The base URL for Vertex AI. */
  readonly vertexUrl: string
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /**
   * Stops recording and writes the cassette. What is still open gets two seconds, then it is cut off.
   *
   * @throws `WIRETAPE_UPSTREAM` if no request reached the service; `WIRETAPE_SECRET`, `WIRETAPE_PROTOCOL` or
   * `WIRETAPE_WRITE` if the recording failed. An older cassette is untouched then.
   */
  close(): Promise<RecordSummary>
  /** The same as {@link RecordServer.close}. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a proxy on loopback that relays to the service and records what passes.
 *
 * The app gets every byte as the service sent it. Credentials are replaced before anything is written.
 *
 * @param file - The cassette to write; named `*.cassette.yaml`.
 * @throws `WIRETAPE_USAGE` if it exists, if an older recording of it is to be recovered first, or for a wrong
 * option; `WIRETAPE_CASSETTE_LOCKED` if something else is recording it; `WIRETAPE_WRITE` if its folder can't be
 * written to.
 *
 * @example
 * ```ts
 * const recorder = await createRecordServer('session.cassette.yaml')
 * const ai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: recorder.url } })
 * await ai.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Why is the sky blue?' })
 * await recorder.close()
 * ```
 */
export async function createRecordServer(file: string, options: RecordOptions = {}): Promise<RecordServer> {
  const [{ checkRecordOptions }, { createRecordServer: start }, { BY }] = await Promise.all([
    import('./option-names.ts'),
    import('../serve/record-server.ts'),
    import('../cli/version.ts'),
  ])
  checkRecordOptions(options)
  const server = await start({ ...options, file, by: BY })
  return {
    url: server.url,
    vertexUrl: server.vertexUrl,
    caFile: server.caFile,
    close: () => server.close(),
    [Symbol.asyncDispose]: async () => void (await server.close()),
  }
}
