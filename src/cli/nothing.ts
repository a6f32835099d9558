/**
 * What is said where nothing came to the recorder: what that did to the cassette, and what to look at.
 *
 * Room: cli.
 */
import { WiretapeError } from '../errors.ts'
import { hasKey } from './environment.ts'

/** What is known of a recording that is empty. */
export interface Nothing {
  readonly file: string
  /** What became of the file. */
  readonly cassette: 'kept' | 'none'
  /** What the app ran with, or may have. */
  readonly env: NodeJS.ProcessEnv
}

/** For a recording that was stopped by hand: nobody had promised that something comes. */
export function nothingReport(nothing: Nothing): string {
  return `${whatCame(nothing)}\n\n${whatToLookAt(nothing)}\n`
}

/** For the recording of a command: a cassette was asked for, and there is none. */
export function nothingRecorded(nothing: Nothing): WiretapeError {
  const { file } = nothing
  return new WiretapeError('WIRETAPE_UNFINISHED', whatCame(nothing), {
    hint: whatToLookAt(nothing),
    details: { file },
  })
}

function whatCame({ file, cassette }: Nothing): string {
  const what = cassette === 'kept' ? `${file} stays as it is` : 'No cassette was written'
  return `Nothing was recorded: no request came. ${what}.`
}

function whatToLookAt({ env }: Nothing): string {
  return [
    'Does the app take its base URL from GOOGLE_GEMINI_BASE_URL or GOOGLE_VERTEX_BASE_URL?',
    'Without a command, `wiretape record` says what to put into its code.',
    ...(hasKey(env)
      ? []
      : [
          'Neither GEMINI_API_KEY nor GOOGLE_API_KEY is set: to be recorded, the app needs a key of its own.',
        ]),
  ].join('\n')
}
