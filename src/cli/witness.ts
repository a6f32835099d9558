/**
 * Notes every answer that `fetch` gets while something runs: what an app can see of it, and a digest of its bytes.
 *
 * The demo's proof. An SDK hides what it does not need, such as a blank between two tokens; the digest does not.
 *
 * Room: cli.
 */
import { createHash } from 'node:crypto'

/** One answer. */
export interface Witnessed {
  /** Its status line and its type. */
  readonly head: string
  readonly bytes: number
  /** Of its head, all header fields but those of the connection, and its body. Equal for equal answers. */
  readonly digest: string
}

/** Fields that belong to one connection or one moment. */
const PASSING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])

/** What `work` gave, and the answers that came meanwhile, in the order in which they began. */
export async function witness<T>(work: () => Promise<T>): Promise<readonly [T, readonly Witnessed[]]> {
  const original = globalThis.fetch
  const answers: Promise<Witnessed>[] = []
  // SDKs look `fetch` up when they call it; there is no other seam that all of them share.
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    answers.push(digest(response.clone()))
    return response
  }
  try {
    const result = await work()
    return [result, await Promise.all(answers)]
  } finally {
    globalThis.fetch = original
  }
}

async function digest(response: Response): Promise<Witnessed> {
  const status = `${response.status} ${response.statusText}`
  const headers = [...response.headers].filter(([name]) => !PASSING.has(name))
  const bytes = new Uint8Array(await response.arrayBuffer())
  const hash = createHash('sha256')
    .update(JSON.stringify([status, headers]))
    .update(bytes)
  const type = response.headers.get('content-type') ?? 'no type'
  return { head: `${status}, ${type}`, bytes: bytes.length, digest: hash.digest('hex') }
}
