/**
 * Reads the values of options, and says what was expected where one can't be read.
 *
 * Room: cli.
 */
import { type MatchKind, MATCH_KINDS } from '../cassette/model.ts'
import { WiretapeError } from '../errors.ts'
import { type AllowedKind, readAllowed } from '../replay/allowed.ts'
import { readIgnored } from '../replay/matching.ts'
import type { RecordTlsOptions } from '../serve/port-tls.ts'
import type { JsonTarget } from './invocation.ts'
import { didYouMean } from './nearest.ts'

/** A port to listen on; 0, which is any, where none is given. Throws `WIRETAPE_USAGE`. */
export function portValue(text = '0'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new WiretapeError('WIRETAPE_USAGE', `--port takes a number from 0 to 65535, not '${text}'.`)
}

/** A time in milliseconds; undefined where none is given. Throws `WIRETAPE_USAGE`. */
export function millisecondsValue(option: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new WiretapeError('WIRETAPE_USAGE', `${option} takes milliseconds, e.g. 2000, not '${text}'.`)
}

/** How requests are compared; `body` where it is not said. Throws `WIRETAPE_USAGE`. */
export function matchValue(text = 'body'): MatchKind {
  const known = MATCH_KINDS.find(kind => kind === text)
  if (known !== undefined) return known
  const words = MATCH_KINDS.join(', ')
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `--match takes one of ${words}, not '${text}'. ${didYouMean(text, MATCH_KINDS)}`,
  )
}

/** Every value of an option that may come more than once, for Commander. */
export function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** Places that do not count, looked at before anything is replayed. Throws `WIRETAPE_USAGE`. */
export function ignoreValue(pointers: readonly string[] = []): readonly string[] {
  readIgnored(pointers)
  return pointers
}

/** What fails nothing. Throws `WIRETAPE_USAGE`. */
export function allowValue(names: readonly string[] = []): readonly AllowedKind[] {
  return readAllowed(names)
}

/** The address of a service, maybe with a path that goes before every route. Throws `WIRETAPE_USAGE`. */
export function urlValue(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text
  // A service on this machine hardly speaks TLS.
  const scheme = /^(?:localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'
  const nearest = text.includes('://') ? '' : ` ${didYouMean(text, [`${scheme}://${text}`])}`
  throw new WiretapeError('WIRETAPE_USAGE', `${option} takes an http or https URL, not '${text}'.${nearest}`)
}

/** How the port speaks TLS; undefined where it does not. Throws `WIRETAPE_USAGE` for what goes with `--tls` only. */
export function tlsValue({ tls, caDir, onlyGoogle }: TlsWords): RecordTlsOptions | undefined {
  if (tls === true) return { caDir, ...(onlyGoogle === true ? { otherHosts: 'refuse' } : {}) }
  if (caDir === undefined && onlyGoogle === undefined) return undefined
  const option = caDir === undefined ? '--only-google' : '--ca-dir'
  throw new WiretapeError('WIRETAPE_USAGE', `${option} goes with --tls, which is not there.`)
}

/** The options about TLS, as they were given. */
export interface TlsWords {
  readonly tls?: true | undefined
  readonly caDir?: string | undefined
  readonly onlyGoogle?: true | undefined
}

/** Where `--json` or `--json=FILE` sends its lines; undefined where it is not given. */
export function jsonTarget(value: string | undefined): JsonTarget | undefined {
  if (value === undefined) return undefined
  return value === '' ? { type: 'stream' } : { type: 'file', path: value }
}
