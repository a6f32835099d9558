/**
 * The streams and the environment that a command works with, and colour where a person sees it.
 *
 * Handed in, so that a command can be run inside a test as it is run by the shell.
 *
 * Room: cli.
 */
import { styleText } from 'node:util'

/** Where text goes. `process.stdout` and `process.stderr` are two. */
export interface TextStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** What the process gives a command. */
export interface Surroundings {
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly env: NodeJS.ProcessEnv
}

/** The styles that our output uses. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'cyan' | 'italic'

/** Gives text a style where the stream that it is for shows styles. */
export type Paint = (style: Style, text: string) => string

/** Paints text for one stream: only on a terminal, and not where NO_COLOR is set (https://no-color.org). */
export function painter(stream: TextStream, env: NodeJS.ProcessEnv): Paint {
  const colors = stream.isTTY === true && (env['NO_COLOR'] ?? '') === ''
  return (style, text) => (colors ? styleText(style, text, { validateStream: false }) : text)
}

/** A count with its noun: `1 exchange`, `3 exchanges`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** A number of bytes for people: `812 B`, `1.4 kB`, `28.0 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
