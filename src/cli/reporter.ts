/**
 * Everything that a running command says: lines for programs, and text for people on stderr.
 *
 * Room: cli.
 */
import { WiretapeError } from '../errors.ts'
import { type Display, startDisplay } from './display.ts'
import type { Addresses } from './environment.ts'
import type { JsonTarget, UserCommand } from './invocation.ts'
import { type JsonLines, openJsonLines } from './json-lines.ts'
import { type Paint, painter, type Surroundings } from './output.ts'
import { errorReport } from './report.ts'

/** What `record` and `replay` speak through. */
export interface Reporter {
  readonly json: JsonLines
  readonly display: Display
  readonly paint: Paint
  /** The server is up. `paste`: what to tell a person who has given no command. */
  listening(addresses: Addresses & { readonly caFile: string | undefined }, paste: string): void
  /** Something failed: said to programs and to people, once. */
  failed(error: WiretapeError): void
}

/** Opens what the command line asked for. Throws `WIRETAPE_USAGE` where the file of `--json` can't be opened. */
export function openReporter(
  invocation: { readonly json: JsonTarget | undefined; readonly command: UserCommand | undefined },
  { stdout, stderr, env }: Surroundings,
): Reporter {
  // While the user's command runs, stdout is its own.
  const shared = invocation.command !== undefined
  const json = openJsonLines(invocation.json, shared ? stderr : stdout)
  const display = startDisplay(stderr, shared ? 'shared' : 'own')
  const paint = painter(stderr, env)
  const said = new Set<WiretapeError>()
  return {
    json,
    display,
    paint,
    listening({ url, vertexUrl, caFile }, paste) {
      json.print({ event: 'listening', url, vertexUrl, caFile })
      if (!shared && invocation.json === undefined) stdout.write(paste)
    },
    failed(error) {
      if (said.has(error)) return
      said.add(error)
      json.print({ event: 'failure', code: error.code, message: error.message, details: error.details })
      display.print(errorReport(error, paint))
    },
  }
}

/** Passes on what is an error of ours, and throws what is not. */
export function ownError(error: unknown): WiretapeError {
  if (WiretapeError.is(error)) return error
  throw error
}
