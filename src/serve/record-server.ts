/**
 * The recording proxy: two listeners in front of the service, one journal behind them, one cassette at the end.
 *
 * Each side of the service has a port of its own, because some paths are the same on both.
 *
 * Room: serve.
 */
import { existsSync, statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { SECRET_RULES } from '../dialect/secrets.ts'
import { SERVICE_ORIGIN, vertexOriginOf } from '../dialect/vertex.ts'
import { WiretapeError } from '../errors.ts'
import { createRedactor } from '../redact/redactor.ts'
import { finishRecording, type RecordSummary } from '../store/finish.ts'
import { createJournal, type Session } from '../store/journal.ts'
import { listen, type Listener } from './listener.ts'
import type { PortTls, RecordTlsOptions } from './port-tls.ts'
import { reachedBy } from './reached.ts'
import { recordedTunnel } from './recorded-tunnel.ts'
import { createRecorder, type FinishedExchange } from './recorder.ts'
import { createHostRouters } from './host-router.ts'
import { createRouter, type Router } from './route.ts'
import { isHandshake } from './upgrade.ts'

/** How to record. */
export interface RecordServerOptions {
  /** The cassette to write. */
  readonly file: string
  /** The service's origin, maybe with a path prefix; the real one where undefined. */
  readonly upstream?: string | undefined
  /** The same for the Vertex side; by the location in the path where undefined. */
  readonly vertexUpstream?: string | undefined
  /** 0, the default, for any that is free. */
  readonly port?: number | undefined
  readonly vertexPort?: number | undefined
  /** What happens to a cassette that is there: `refuse` where undefined; `overwrite` once the new one is complete. */
  readonly existing?: 'refuse' | 'overwrite' | undefined
  /** Who records, for the header: `wiretape/0.1.0`. */
  readonly by?: string | undefined
  /** What the recording is about, for the header. */
  readonly note?: string | undefined
  /** Makes each port one for TLS and for tunnels too. */
  readonly tls?: RecordTlsOptions | undefined
  /** Told of what was not taken, and why: a request for another host, a client that does not trust us. */
  readonly onNote?: ((text: string) => void) | undefined
  /** Called once per exchange, when it is over. */
  readonly onExchange?: ((finished: FinishedExchange) => void) | undefined
}

/** A recording that is under way. */
export interface RecordServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** The same for the Vertex side. */
  readonly vertexUrl: string
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /** Exchanges and bytes of answers so far. */
  progress(): { readonly open: number; readonly finished: number; readonly bytes: number }
  /** Never resolves; rejects with the error that stopped the recording (WIRETAPE_SECRET, WIRETAPE_WRITE, WIRETAPE_PROTOCOL). */
  readonly failed: Promise<never>
  /**
   * Takes nothing new, gives what is open `graceMs` (2000 where undefined) to end, cuts what then is left
   * and writes the cassette. A second call gives the same result.
   *
   * @throws The error that stopped the recording, or `WIRETAPE_WRITE`.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<RecordSummary>
}

const GRACE_MS = 2000

/**
 * Starts recording.
 *
 * @throws `WIRETAPE_USAGE` where the cassette is there already, a journal was left behind, an upstream is no
 * URL, a port is taken or the certificate authority can't be used; `WIRETAPE_CASSETTE_LOCKED`; `WIRETAPE_WRITE`.
 */
export async function createRecordServer(options: RecordServerOptions): Promise<RecordServer> {
  const { file, onExchange = () => undefined, onNote = () => undefined } = options
  const upstream = checkedBase(options.upstream, '--upstream') ?? SERVICE_ORIGIN
  const vertexUpstream = checkedBase(options.vertexUpstream, '--vertex-upstream')
  if (existsSync(file) && statSync(file).isDirectory()) throw isFolder(file)
  if (options.existing !== 'overwrite' && existsSync(file)) throw alreadyThere(file)
  const tls = await openTls(options.tls, onNote)
  const journal = createJournal(file, sessionOf(options))
  const began = performance.now()
  const recorder = createRecorder(
    journal,
    createRedactor(SECRET_RULES),
    () => performance.now() - began,
    onExchange,
  )
  const listeners: Listener[] = []

  const hostRouter = createHostRouters({ upstream: options.upstream, vertexUpstream })

  async function serve(own: Router, port: number): Promise<string> {
    const routerOf = (request: IncomingMessage): Router => hostRouter(reachedBy(request).host) ?? own
    const listener = await listen(
      (request, response) => recorder.handle(request, response, routerOf(request)),
      port,
      {
        upgrades: {
          owns: isHandshake,
          upgrade: (request, _, head) => recorder.upgrade(request, head, routerOf(request)),
        },
        onRefused: onNote,
        tls,
      },
    )
    listeners.push(listener)
    return listener.url
  }

  async function stop(graceMs: number): Promise<void> {
    for (const listener of listeners) listener.stop()
    await recorder.drain(graceMs)
    await Promise.all([...listeners.map(listener => listener.close()), recorder.close()])
  }

  async function close(graceMs: number): Promise<RecordSummary> {
    await stop(graceMs)
    if (recorder.failure === undefined) return finishRecording(file, journal)
    journal.release()
    return recorder.failed
  }

  try {
    const url = await serve(
      createRouter(() => upstream),
      options.port ?? 0,
    )
    const vertexUrl = await serve(
      createRouter(path => vertexUpstream ?? vertexOriginOf(path)),
      options.vertexPort ?? 0,
    )
    let closing: Promise<RecordSummary> | undefined
    return {
      url,
      vertexUrl,
      caFile: tls?.caFile,
      progress: () => recorder.progress(),
      failed: recorder.failed,
      close({ graceMs = GRACE_MS } = {}) {
        closing ??= close(graceMs)
        return closing
      },
    }
  } catch (cause) {
    await stop(0)
    journal.discard()
    throw cause
  }
}

/** All that knows of certificates is loaded for those only who ask for it. */
async function openTls(
  options: RecordTlsOptions | undefined,
  note: (text: string) => void,
): Promise<PortTls | undefined> {
  return options && (await import('./open-tls.ts')).openPortTls(options, recordedTunnel(options), note)
}

function sessionOf({ by, note }: RecordServerOptions): Session {
  return { recorded: new Date().toISOString().replace(/\.\d+Z$/, 'Z'), by, note }
}

/** Told before anything is recorded: at the end nothing could take its place. */
function isFolder(file: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `${file} is a folder, not a cassette.`, {
    hint: `Name the cassette that is to be in it: ${join(file, 'session.cassette.yaml')}`,
    details: { file },
  })
}

function alreadyThere(file: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `The cassette ${file} is there already.`, {
    hint: 'Record into another file, or say --overwrite to have it replaced when the recording is finished.',
    details: { file },
  })
}

function checkedBase(url: string | undefined, option: string): string | undefined {
  if (url === undefined) return undefined
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url
  throw new WiretapeError('WIRETAPE_USAGE', `${option} is no http or https URL: ${url}`, {
    hint: 'Name an origin, maybe with a path prefix, e.g. https://example.com/proxy.',
    details: { option },
  })
}
