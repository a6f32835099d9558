/**
 * The `--json` lines: what happens, one JSON object a line, for programs.
 *
 * A line is written when it is printed and not later, so that whoever reads along, or reads after a crash,
 * has all there was.
 *
 * Room: cli.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { WiretapeError } from '../errors.ts'
import type { JsonTarget } from './invocation.ts'
import type { TextStream } from './output.ts'

/** One line. `event` says what it is; the README lists what else is in it. */
export type Line =
  | {
      readonly event: 'listening'
      readonly url: string
      readonly vertexUrl: string
      /** With `--tls` only. */
      readonly caFile?: string | undefined
    }
  | { readonly event: 'received'; readonly [key: string]: unknown }
  | { readonly event: 'exchange'; readonly [key: string]: unknown }
  | { readonly event: 'failure'; readonly code: string; readonly message: string; readonly details: unknown }
  | { readonly event: 'closed'; readonly [key: string]: unknown }
  /** What `wiretape show` and `wiretape lint` print. */
  | { readonly type: string; readonly [key: string]: unknown }

/** Where the lines of one run go. */
export interface JsonLines {
  /** Never throws: what is recorded does not hang on who is told of it. */
  print(line: Line): void
  /** @throws `WIRETAPE_WRITE` where a line was lost. */
  close(): void
}

/**
 * Opens what `--json` named; nothing is printed without it.
 *
 * @param stream - Where the lines go unless a file is named. A file is replaced.
 * @throws `WIRETAPE_USAGE` where the file can't be opened.
 */
export function openJsonLines(target: JsonTarget | undefined, stream: TextStream): JsonLines {
  if (target === undefined) return { print: () => undefined, close: () => undefined }
  if (target.type === 'stream') {
    return { print: line => void stream.write(`${JSON.stringify(line)}\n`), close: () => undefined }
  }
  const file = openFile(target.path)
  let lost: unknown
  return {
    print(line) {
      // One line after a lost one would be a lie.
      if (lost !== undefined) return
      try {
        writeSync(file, `${JSON.stringify(line)}\n`)
      } catch (cause) {
        lost = cause
      }
    },
    close() {
      closeSync(file)
      if (lost !== undefined) throw notWritten(target.path, lost)
    },
  }
}

function notWritten(path: string, cause: unknown): WiretapeError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new WiretapeError(
    'WIRETAPE_WRITE',
    `Not all lines of --json could be written to ${path}: ${reason}`,
    {
      hint: 'Make room there, or name another file. What was recorded or replayed is not affected.',
      details: { path },
      cause,
    },
  )
}

function openFile(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (cause) {
    throw new WiretapeError('WIRETAPE_USAGE', `The file of --json can't be written: ${path}.`, {
      hint: 'Name a file in a folder that exists and may be written to.',
      cause,
    })
  }
}
