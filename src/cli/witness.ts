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
  /** Status line, content type, digest: equal for equal answers. */
  readonly text: string
  readonly bytes: number
}

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
  const bytes = Buffer.from(await response.arrayBuffer())
  const sha = createHash('sha256').update(bytes).digest('hex')
  const type = response.headers.get('content-type') ?? 'no type'
  return { text: `${response.status} ${response.statusText}, ${type}, sha256 ${sha}`, bytes: bytes.length }
}
