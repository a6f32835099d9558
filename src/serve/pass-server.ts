/**
 * The proxy of the mode `passthrough`: all goes to the service, and nothing is written down.
 *
 * Room: serve.
 */
import { SECRET_RULES } from '../dialect/secrets.ts'
import { createRedactor } from '../redact/redactor.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { Scribes } from './scribe.ts'
import { checkUpstreams, openServiceProxy, type ServiceProxyOptions } from './service-proxy.ts'
import { GRACE_MS } from './grace.ts'

/** A proxy that only relays. */
export interface PassServer extends Pick<Recorder, 'progress'> {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** The same for the Vertex side. */
  readonly vertexUrl: string
  /** Takes nothing new, gives what is open `graceMs` (2000 where undefined) to end, and cuts what then is left. */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>
}

/**
 * Starts to relay.
 *
 * @throws `WIRETAPE_USAGE` where an upstream is no URL or a port is taken.
 */
export async function createPassServer(options: ServiceProxyOptions): Promise<PassServer> {
  checkUpstreams(options)
  const recorder = createRecorder(
    createIdleScribes(),
    createRedactor(SECRET_RULES),
    () => performance.now(),
    () => undefined,
  )
  const proxy = await openServiceProxy(recorder, options)
  return {
    url: proxy.url,
    vertexUrl: proxy.vertexUrl,
    progress: () => recorder.progress(),
    close: ({ graceMs = GRACE_MS } = {}) => proxy.close(graceMs),
  }
}

/** They write nothing, so nothing goes wrong. */
function createIdleScribes(): Scribes {
  let count = 0
  return {
    begin() {
      count += 1
      return { number: count, take: () => undefined }
    },
    fail: () => undefined,
    failure: undefined,
    failed: new Promise<never>(() => undefined),
  }
}
