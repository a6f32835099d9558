/**
 * Takes secrets out of what a recording writes, before it is written.
 *
 * Sits between the recorder and the journal. Nothing that an app receives passes through here.
 *
 * Room: redact.
 */
import type { HeaderList } from '../wire/headers.ts'
import { inAddress, redactAddress, redactParameters } from './address.ts'
import { createBodyRedactor } from './body.ts'
import { fieldNeedle } from './field.ts'
import { literalNeedle } from './literal.ts'
import type { SecretRules } from './rules.ts'
import { sealedNeedles } from './sealed.ts'
import { createSearcher, type Searcher } from './search.ts'
import { shapeNeedle } from './shape.ts'
import { createVault, type Vault } from './vault.ts'

/** A stretch of the original that was replaced; offsets and lengths in bytes. */
export interface Replacement {
  /** Where it began, counted in the original body. */
  readonly at: number
  /** How long it was. */
  readonly was: number
  /** How long its placeholder is. */
  readonly is: number
}

/** What may be written now. */
export interface RedactedBytes {
  readonly bytes: Uint8Array
  /** The replacements in `bytes`, in order. */
  readonly replaced: readonly Replacement[]
  /** Set when a key was found that can't be replaced (inside base64): the kind of it. Nothing of it is in `bytes`; the run must fail. */
  readonly refused?: string | undefined
}

/** Redacts one body as it streams by. Bytes that may begin a secret are held back until that is decided. */
export interface BodyRedactor {
  push(bytes: Uint8Array): RedactedBytes
  /** Hands out what is still held back, and these last bytes. */
  end(bytes?: Uint8Array): RedactedBytes
  /** How many bytes are held back now. */
  readonly held: number
}

/** One per recording: it remembers which placeholder stands for which secret. */
export interface Redactor {
  /** The values of secret fields become placeholders; secrets inside the other values too. */
  headers(headers: HeaderList): HeaderList
  /** A URL or a path with its query, with secret parameters and path parts replaced. */
  url(url: string): string
  /** Any other text: an error message, a reason phrase. */
  text(text: string): string
  body(): BodyRedactor
  /** A body that is there as a whole: nothing of it is held back. */
  whole(bytes: Uint8Array): RedactedBytes
}

/** From this length on a header's secret is looked for elsewhere. Shorter ones are words. */
const HEADER_MIN = 8

/** Makes the redactor of one recording. */
export function createRedactor(rules: SecretRules): Redactor {
  const vault = createVault(rules.shapes)
  const fixed = [
    ...rules.fields.map(field => fieldNeedle(field, vault)),
    ...rules.shapes.map(shape => shapeNeedle(shape, vault)),
    ...rules.refused.flatMap(sealedNeedles),
  ]
  /** Made when the first address comes: a body needs none. */
  let searchAddress: Searcher | undefined
  let searcher = createSearcher(fixed)
  let learned = 0
  /** The same address is asked for again and again. What was learned since makes it another. */
  let last: { readonly url: string; readonly safe: string; readonly knowing: number } | undefined

  // Values that were learned come first: they are secrets whatever they look like.
  function currentSearcher(): Searcher {
    if (vault.learned.size > learned) {
      learned = vault.learned.size
      const literals = [...vault.learned]
        .toSorted(([one], [other]) => other.length - one.length)
        .map(([secret, placeholder]) => literalNeedle(secret, placeholder))
      searcher = createSearcher([...literals, ...fixed])
    }
    return searcher
  }

  const text = (whole: string): string =>
    redactText(redactParameters(whole, rules, vault), currentSearcher(), vault)

  return {
    headers: headers =>
      headers.map(([name, value]) => {
        const kind = rules.headers.get(name.toLowerCase())
        if (kind === undefined) return [name, text(value)]
        return [name, value.trim() === '' ? value : vault.learn(value, kind, HEADER_MIN)]
      }),
    url(url) {
      if (url === last?.url && last.knowing === vault.learned.size) return last.safe
      const whole = redactText(redactAddress(url, rules, vault), currentSearcher(), vault)
      const knowing = vault.learned.size
      searchAddress ??= createSearcher(rules.shapes.map(shape => shapeNeedle(inAddress(shape), vault)))
      const safe = redactText(whole, searchAddress, vault)
      last = { url, safe, knowing }
      return safe
    },
    text,
    body: () => createBodyRedactor(currentSearcher),
    whole: bytes => createBodyRedactor(currentSearcher).end(bytes),
  }
}

/** Redacts a text that is there as a whole. A key inside base64 takes all that follows with it. */
function redactText(text: string, search: Searcher, vault: Vault): string {
  const { secrets, decided, refused } = search(text, 0, 'closed')
  let safe = ''
  let done = 0
  for (const { start, end, placeholder } of secrets) {
    safe += text.slice(done, start) + placeholder
    done = end
  }
  safe += text.slice(done, decided)
  return refused === undefined ? safe : safe + vault.placeholder(text.slice(decided), refused)
}
