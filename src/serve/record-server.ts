/**
 * The recording proxy: what passes to the service goes into one journal, and at the end into one cassette.
 *
 * Room: serve.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SECRET_RULES } from '../dialect/secrets.ts'
import { WiretapeError } from '../errors.ts'
import { createRedactor } from '../redact/redactor.ts'
import { blobsBeside } from '../store/episodes.ts'
import { finishRecording, type RecordSummary } from '../store/finish.ts'
import { createJournal, type Session } from '../store/journal.ts'
import { createRecorder, type FinishedExchange } from './recorder.ts'
import { createScribes } from './scribe.ts'
import { checkUpstreams, openServiceProxy, type Front, type ServiceProxyOptions } from './service-proxy.ts'
import { createSteadyClock } from './steady-clock.ts'
import { createUnreached } from './unreached.ts'
import { GRACE_MS } from './grace.ts'

/** How to record. */
export interface RecordServerOptions extends ServiceProxyOptions {
  /** The cassette to write. */
  readonly file: string
  /**
   * What happens to a cassette that is there: `refuse` where undefined; `overwrite` once the new one is complete;
   * `append`: it stays as it is, and the new exchanges come behind it, under a header of their own.
   */
  readonly existing?: 'refuse' | 'overwrite' | 'append' | undefined
  /** Who records, for the header: `wiretape/0.1.0`. */
  readonly by?: string | undefined
  /** What the recording is about, for the header. */
  readonly note?: string | undefined
  /**
   * What becomes of what was recorded where what passed stopped the recording (WIRETAPE_SECRET, WIRETAPE_PROTOCOL):
   * it is kept for `recover` where undefined, or forgotten: the next recording can begin.
   */
  readonly stopped?: 'keep' | 'forget' | undefined
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
   * @throws The error that stopped the recording, or `WIRETAPE_WRITE`; `WIRETAPE_UPSTREAM` where no request reached the
   * service: nothing is written then.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<RecordSummary>
  /** Stops at once and forgets what was recorded: a cassette that is there stays as it is. */
  discard(): Promise<void>
}

/**
 * Starts recording.
 *
 * @param front - What the listeners do before anything goes to the service; nothing where undefined.
 * @throws `WIRETAPE_USAGE` where the cassette is there already, a journal was left behind, an upstream is no
 * URL, a port is taken or the certificate authority can't be used; `WIRETAPE_CASSETTE_LOCKED`; `WIRETAPE_WRITE`.
 */
export async function createRecordServer(options: RecordServerOptions, front?: Front): Promise<RecordServer> {
  const { file } = options
  checkUpstreams(options)
  if (existsSync(file) && statSync(file).isDirectory()) throw folderInstead(file)
  if ((options.existing ?? 'refuse') === 'refuse' && existsSync(file)) throw alreadyThere(file)
  const journal = createJournal(file, sessionOf(options))
  const clock = createSteadyClock()
  const began = clock.now()
  const now = (): number => clock.now() - began
  const redactor = createRedactor(SECRET_RULES)
  const unreached = createUnreached(file)
  const recorder = createRecorder(createScribes(journal, redactor, now), redactor, now, finished => {
    unreached.count(finished)
    options.onExchange?.(finished)
  })
  const proxy = await openServiceProxy(recorder, options, front).catch((cause: unknown) => {
    journal.discard()
    throw cause
  })
  const { url, vertexUrl, caFile } = proxy
  let closing: Promise<RecordSummary> | undefined

  async function close(graceMs: number): Promise<RecordSummary> {
    await proxy.close(graceMs)
    const failure = unreached.all()
    if (failure !== undefined && recorder.failure === undefined) {
      journal.discard()
      throw failure
    }
    try {
      if (recorder.failure === undefined) return finishRecording(file, journal)
      throw recorder.failure
    } catch (cause) {
      if (options.stopped === 'forget' && isOfWhatPassed(cause)) journal.discard()
      else journal.release()
      throw cause
    }
  }

  return {
    url,
    vertexUrl,
    caFile,
    progress: () => recorder.progress(),
    failed: recorder.failed,
    close: ({ graceMs = GRACE_MS } = {}) => (closing ??= close(graceMs)),
    async discard() {
      await proxy.close(0)
      journal.discard()
    },
  }
}

/** True where recording the same again would stop in the same place. */
function isOfWhatPassed(cause: unknown): boolean {
  return WiretapeError.is(cause) && (cause.code === 'WIRETAPE_SECRET' || cause.code === 'WIRETAPE_PROTOCOL')
}

function sessionOf({ file, existing, by, note }: RecordServerOptions): Session {
  const recorded = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const append = existing === 'append' ? blobsBeside(file) : undefined
  return { recorded, by, note, append }
}

/** Told before anything is recorded: at the end nothing could take its place. */
function folderInstead(file: string): WiretapeError {
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
