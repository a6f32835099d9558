/**
 * A `fetch` that is answered by a replay in this process, with no socket: whatever host is asked, nothing
 * goes to the network.
 *
 * Room: serve.
 */
import { pairHeaders } from '../wire/headers.ts'
import { decodedBody } from './decode.ts'
import { createFetchAnswer } from './in-process-answer.ts'
import { askedOf, brokenHead, pathAt, type InProcessReplay } from './in-process.ts'

/** What `fetch` takes first. */
type FetchInput = Parameters<typeof fetch>[0]
/** What it takes second. */
type FetchInit = Parameters<typeof fetch>[1]

/** The statuses that name another place (Fetch §2.2.6). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** How many of them are followed (Fetch §4.4). */
const MOST_REDIRECTS = 20

/**
 * Makes a `fetch` of a replay. It stands in for the platform's in everything that an app can see, but for
 * the fields that only a connection has (`connection`, `transfer-encoding`, `date`).
 *
 * A request that is not on the recording is answered with 400, as the server answers it, and kept as a
 * failure. A client that aborts, or cancels the body, has left its answer.
 *
 * @example
 * ```ts
 * const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { fetch: createInProcessFetch(session) } })
 * ```
 */
export function createInProcessFetch(replay: InProcessReplay): typeof fetch {
  return async (input, init) => {
    // Read by itself: the signal of another realm (jsdom) is one that `Request` does not take.
    const signal = init?.signal === undefined ? signalOf(input) : (init.signal ?? undefined)
    signal?.throwIfAborted()
    let request = new Request(input, withoutSignal(init))
    // What is in the address itself is no affair of a service.
    if (/^(?:blob|data):/.test(request.url)) return fetch(request, init)
    for (let redirects = 0; ; redirects += 1) {
      const body = request.body === null ? undefined : await bodyOf(replay, request, signal)
      const response = await ask(replay, request, body ?? new Uint8Array(), signal)
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (location === null || request.redirect === 'manual') {
        return asFetched(response, request.url, redirects)
      }
      await response.body?.cancel()
      if (request.redirect === 'error') throw failed(new Error('unexpected redirect'))
      if (redirects === MOST_REDIRECTS) throw failed(new Error('redirect count exceeded'))
      request = redirected(request, response.status, new URL(location, request.url), body)
    }
  }
}

async function ask(
  replay: InProcessReplay,
  request: Request,
  body: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { method, headers } = request
  const url = new URL(request.url)
  if (!/^https?:$/.test(url.protocol)) throw failed(new Error('unknown scheme'))
  const path = pathAt(replay, url.origin + url.pathname + url.search)
  const decoded = await decodedBody(body, headers.get('content-encoding') ?? undefined)
  signal?.throwIfAborted()
  const onBroken = (cause: unknown): void => brokenHead(replay, askedOf(replay, method, path), cause)
  const answer = createFetchAnswer({ method, signal, onBroken })
  const list = pairHeaders([...headers].flat())
  answer.carriedBy(
    replay.requests.request({ method, url: path, headers: list, body: decoded, origin: url.origin }, answer),
  )
  return answer.response
}

/** The whole body; what its own stream fails with is the failure of the request, as no server has seen all of it. */
async function bodyOf(
  replay: InProcessReplay,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  try {
    return new Uint8Array(await unlessAborted(request.arrayBuffer(), signal))
  } catch (cause) {
    const { pathname, search } = new URL(request.url)
    const asked = askedOf(replay, request.method, pathname + search)
    replay.note(`a client left before it had sent the whole of ${asked}`)
    signal?.throwIfAborted()
    throw failed(cause)
  }
}

/** What comes of this work, or the reason of an abort that comes before. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'))
    signal.addEventListener('abort', abort, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The request that follows a redirect (Fetch §4.4): to 303, and by habit to 301 and 302, a POST becomes a GET. */
function redirected(request: Request, status: number, url: URL, body: Uint8Array | undefined): Request {
  const { method, headers, redirect } = request
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  const next = new Headers(headers)
  if (becomesGet) for (const name of CONTENT_FIELDS) next.delete(name)
  if (new URL(request.url).origin !== url.origin) for (const name of PRIVATE_FIELDS) next.delete(name)
  return becomesGet || body === undefined
    ? new Request(url, { method: becomesGet ? 'GET' : method, headers: next, redirect })
    : new Request(url, { method, headers: next, redirect, body })
}

/** Fields that go with a body, and fields for one origin alone. */
const CONTENT_FIELDS = ['content-encoding', 'content-language', 'content-location', 'content-type']
const PRIVATE_FIELDS = ['authorization', 'cookie', 'proxy-authorization']

/** A response that was made here, as if it had been fetched; its clones too. */
function asFetched(response: Response, address: string, redirects: number): Response {
  const clone = response.clone.bind(response)
  const url = address.split('#', 1)[0] ?? ''
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirects > 0 },
    type: { value: 'basic' },
    clone: { value: () => asFetched(clone(), address, redirects) },
  })
}

function signalOf(input: FetchInput): AbortSignal | undefined {
  return typeof input === 'object' && 'signal' in input ? input.signal : undefined
}

function withoutSignal(init: FetchInit): FetchInit {
  if (init === undefined) return init
  const { signal: _, ...rest } = init
  return rest
}

function failed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}
