/**
 * Which sides of the service recordings speak of.
 *
 * Room: serve.
 */
import { sideOf, type ServiceSide } from '../dialect/hosts.ts'
import type { LoadedCassette } from '../replay/recorded.ts'
import { readStretch } from '../store/blob-files.ts'

/** The sides that the exchanges of these cassettes were recorded at. */
export function sidesOf(cassettes: readonly LoadedCassette[]): ReadonlySet<ServiceSide> {
  const sides = new Set<ServiceSide>()
  for (const document of cassettes.flatMap(({ cassette }) => cassette.documents)) {
    if (document.type !== 'exchange') continue
    const side = sideOf(new URL(document.exchange.request.url).hostname)
    if (side !== undefined) sides.add(side)
  }
  return sides
}

/** Bytes at the beginning of a cassette in which its first exchanges say where they were recorded. */
const BEGINNING = 65_536

/** A request's URL as cassettes spell it. In JSON the name is quoted. */
const REQUEST_URL = /\burl: ["']?(?:https?|wss?):\/\/([^/:"'\s]+)/g

/** The sides that cassettes begin with, without reading them whole. Who uses one that can't be read is told then. */
export function sidesNamedIn(files: readonly string[]): ReadonlySet<ServiceSide> {
  const sides = new Set<ServiceSide>()
  for (const [, host = ''] of files.flatMap(file => [...beginningOf(file).matchAll(REQUEST_URL)])) {
    const side = sideOf(host)
    if (side !== undefined) sides.add(side)
  }
  return sides
}

function beginningOf(file: string): string {
  try {
    return Buffer.from(readStretch(file, 0, BEGINNING) ?? []).toString()
  } catch {
    return ''
  }
}
