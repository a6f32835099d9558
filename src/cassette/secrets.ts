/**
 * Secrets in a cassette that is there already: one that was written by hand, or changed after it was recorded.
 *
 * Nothing here holds or tells a secret: what is found is told by its kind and its place.
 *
 * Room: cassette.
 */
import { createRedactor, type RedactedBytes, type Redactor } from '../redact/redactor.ts'
import { SECRET_RULES } from '../dialect/secrets.ts'
import type { HeaderList } from '../wire/headers.ts'
import { concatBytes, decodeUtf8, encodeUtf8 } from '../wire/text.ts'
import type { Cassette, Exchange } from './model.ts'
import { payloadsOf } from './payloads.ts'

/** A secret: what kind it is, and where. */
export interface FoundSecret {
  /** As in its placeholder, `api-key`. */
  readonly kind: string
  /** The line of the text, from 1; undefined where it is told by `blob` or `exchange` alone. */
  readonly line: number | undefined
  /** The exchange, from 1. */
  readonly exchange: number | undefined
  /** The name of the blob that it is in. */
  readonly blob: string | undefined
}

/** A text with its secrets replaced, and what they were. */
export interface RedactedText {
  readonly text: string
  /** Each with its line in the text as it was. */
  readonly found: readonly FoundSecret[]
  /** True if a key is inside base64, where it can't be replaced. */
  readonly refused: boolean
}

/** Everything secret in a cassette and its blobs. */
export function findSecrets(
  cassette: Cassette,
  text: string,
  blobs: ReadonlyMap<string, Uint8Array>,
): readonly FoundSecret[] {
  const redactor = createRedactor(SECRET_RULES)
  const inside = secretExchanges(cassette, text, redactor)
  const { found } = redactLines(redactor, text)
  const told = new Set(found.map(({ line }) => exchangeAt(cassette, line ?? 0)))
  return [
    ...found.map(secret => ({ ...secret, exchange: exchangeAt(cassette, secret.line ?? 0) })),
    // What only shows once the YAML is read, and in no line as it is.
    ...inside.filter(({ exchange }) => !told.has(exchange)),
    ...findInBlobs(blobs, redactor),
  ]
}

/**
 * Replaces what is secret in a cassette's text.
 *
 * Comments and everything else stay as they are, byte for byte. What is spelled in a way that hides it
 * from a search in the text stays too; {@link findSecrets} finds it afterwards.
 */
export function redactCassette(cassette: Cassette, text: string): RedactedText {
  const redactor = createRedactor(SECRET_RULES)
  secretExchanges(cassette, text, redactor)
  return redactLines(redactor, text)
}

/** Secrets in blobs. */
function findInBlobs(blobs: ReadonlyMap<string, Uint8Array>, redactor: Redactor): readonly FoundSecret[] {
  return [...blobs].flatMap(([blob, bytes]) => {
    const [first] = secretsIn(redactor, bytes)
    return first === undefined ? [] : [{ kind: first.kind, line: undefined, exchange: undefined, blob }]
  })
}

/** Looks at what each exchange says, and so teaches the redactor which values are secret by their place. */
function secretExchanges(cassette: Cassette, text: string, redactor: Redactor): readonly FoundSecret[] {
  takePlaceholders(text, redactor)
  return exchangesOf(cassette).flatMap((exchange, index) => {
    const kind = kindInside(exchange, redactor)
    return kind === undefined ? [] : [{ kind, line: exchange.line, exchange: index + 1, blob: undefined }]
  })
}

/** The numbers that the cassette's own placeholders have: no new secret may get one of them. */
function takePlaceholders(text: string, redactor: Redactor): void {
  for (const [placeholder] of text.matchAll(/\bredacted-[a-z]+(?:-[a-z]+)*-\d+(?!\d)/g)) {
    redactor.headers([['authorization', placeholder]])
  }
}

function kindInside({ request, response, ...exchange }: Exchange, redactor: Redactor): string | undefined {
  const headers: HeaderList = [
    ...request.headers,
    ...(response?.headers ?? []),
    ...(response?.trailers ?? []),
  ]
  const pairs: (readonly [string, string])[] = [
    [request.url, redactor.url(request.url)],
    ...redactor
      .headers(headers)
      .map(([, value], index): [string, string] => [headers[index]?.[1] ?? '', value]),
    ...payloadTexts({ request, response, ...exchange }).map((text): [string, string] => [
      text,
      redactor.text(text),
    ]),
  ]
  const changed = pairs.find(([before, after]) => before !== after)
  return changed === undefined ? undefined : (newPlaceholder(...changed) ?? 'secret')
}

function newPlaceholder(before: string, after: string): string | undefined {
  return [...after.matchAll(/\bredacted-([a-z]+(?:-[a-z]+)*)-\d+/g)].find(
    ([whole]) => !before.includes(whole),
  )?.[1]
}

/** The payloads as JSON or text, so that a secret is found by its key however YAML spells it. */
function payloadTexts(exchange: Exchange): readonly string[] {
  return payloadsOf(exchange).flatMap(payload => {
    switch (payload.type) {
      case 'value':
        return [JSON.stringify(payload.value)]
      case 'text':
        return [payload.text]
      case 'base64':
        return [payload.base64]
    }
  })
}

/** A secret in bytes, and what is to stand in its place. */
interface SecretBytes {
  readonly kind: string
  /** Where it begins. */
  readonly at: number
}

/** The secrets in bytes; what they become without them is given to `write`, piece by piece. */
function secretsIn(
  redactor: Redactor,
  whole: Uint8Array,
  write: (safe: RedactedBytes) => void = () => undefined,
): readonly SecretBytes[] {
  const body = redactor.body()
  const secrets: SecretBytes[] = []
  // Where what comes next begins in the whole.
  let origin = 0
  for (const safe of [body.push(whole), body.end()]) {
    const { bytes, replaced, refused } = safe
    let longer = 0
    for (const { at, was, is } of replaced) {
      const placeholder = latin(bytes, at - origin + longer, is)
      longer += is - was
      // What is a placeholder already is replaced by itself.
      if (placeholder !== latin(whole, at, was)) secrets.push({ kind: kindOf(placeholder), at })
    }
    origin += bytes.length - longer
    write(safe)
    if (refused === undefined) continue
    secrets.push({ kind: refused, at: origin })
    break
  }
  return secrets
}

/** The text goes through whole: a key of several lines is one secret. */
function redactLines(redactor: Redactor, text: string): RedactedText {
  const before = encodeUtf8(text)
  const pieces: Uint8Array[] = []
  let refused = false
  const secrets = secretsIn(redactor, before, safe => {
    pieces.push(safe.bytes)
    refused ||= safe.refused !== undefined
  })
  const found = secrets.map(({ kind, at }) => ({
    kind,
    line: lineAt(before, at),
    exchange: undefined,
    blob: undefined,
  }))
  return { text: decodeUtf8(concatBytes(pieces)) ?? '', found, refused }
}

/** Secrets and placeholders are ASCII. */
function latin(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

function kindOf(text: string): string {
  return /redacted-([a-z]+(?:-[a-z]+)*)-\d+/.exec(text)?.[1] ?? 'secret'
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < offset; at = bytes.indexOf(0x0a, at + 1)) line += 1
  return line
}

function exchangesOf({ documents }: Cassette): readonly Exchange[] {
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

/** The exchange that a line belongs to, from 1; undefined for one before the first. */
function exchangeAt(cassette: Cassette, line: number): number | undefined {
  const count = exchangesOf(cassette).filter(exchange => exchange.line <= line).length
  return count === 0 ? undefined : count
}
