/**
 * What an entry says, in words and tones.
 *
 * Room: view.
 */
import type { JsonValue } from '../wire/json.ts'
import type { Entry, Shown } from './entries.ts'
import type { Span, Tone } from './text.ts'
import { printable } from './text.ts'

/** How much is shown: the beginning of what is long, or all of it. */
export type Detail = 'short' | 'full'

/** How much of a signature is shown: enough to tell two apart. */
const SIGNATURE_BEGINS = 12

/** An entry in words. */
export function wordsOf({ shown, pieces, at, until }: Entry, detail: Detail): readonly Span[] {
  const place = 'of' in shown && shown.of !== undefined ? [dim(`[${shown.of}] `)] : []
  const spans = [...place, ...bodyOf(shown, detail)]
  if (pieces === 1) return spans
  const took = until === undefined || until === at ? '' : `, until ${seconds(until)}`
  return [...spans, { tone: 'dim', text: `  (${pieces} pieces${took})`, solid: true }]
}

function bodyOf(shown: Shown, detail: Detail): readonly Span[] {
  switch (shown.kind) {
    case 'text':
      return [shown.text === '' ? dim('(empty text)') : say('plain', shown.text, detail)]
    case 'thought':
      return [dim('thinks '), say('thought', shown.text, detail)]
    case 'transcript':
      return [dim(shown.whose === 'client' ? 'hears ' : 'says '), say('plain', shown.text, detail)]
    case 'call':
      return callWords(shown)
    case 'arguments':
      return [dim('arguments '), say('call', argumentText(shown.pieces), detail)]
    case 'result':
      return [
        say('call', shown.name ?? 'result', detail),
        dim(shown.id === undefined ? ' gives ' : ` ${shown.id} gives `),
        say('plain', json(shown.value), detail),
      ]
    case 'signature':
      return [dim('signature '), dim(signatureText(shown.signature, detail))]
    case 'media':
      return [say('strong', mediaText(shown), detail)]
    case 'usage':
      return [dim(`tokens: ${shown.text === '' ? 'none' : shown.text}`)]
    case 'setting':
      return [dim(`${shown.name} `), say('plain', shown.text, detail)]
    case 'mark':
      return [say(shown.quiet === true ? 'dim' : 'strong', shown.text, detail)]
    case 'finish':
      return [say(shown.well ? 'good' : 'bad', shown.reason, detail)]
    case 'error':
      return [say('bad', `error ${shown.text}`, detail)]
    case 'other':
      return [dim(shown.name === '' ? '' : `${shown.name} `), say('plain', json(shown.value), detail)]
    case 'plain':
      if (shown.text === '' && shown.what === '') return [dim('(empty)')]
      return [dim(shown.what === '' ? '' : `${shown.what} `), say('plain', shown.text, detail)]
    case 'bytes':
      return [dim(`${shown.what === '' ? '' : `${shown.what} `}${size(shown.length)}`)]
  }
}

function callWords({ name, id, args }: Extract<Shown, { kind: 'call' }>): readonly Span[] {
  const text = args === undefined ? '…' : json(args)
  const called = say('call', `${name ?? 'call'}(`, 'full')
  const close = say('call', ')', 'full')
  const given = say('plain', text === '{}' ? '' : text, 'full')
  return [called, given, close, dim(id === undefined ? '' : ` ${id}`)]
}

function argumentText(pieces: Extract<Shown, { kind: 'arguments' }>['pieces']): string {
  return pieces.map(({ path, text }) => (path === undefined ? text : `${path} = ${text}`)).join(', ')
}

function signatureText(signature: string, detail: Detail): string {
  if (detail === 'full' || signature.length <= SIGNATURE_BEGINS + 8) return printable(signature)
  return `${printable(signature.slice(0, SIGNATURE_BEGINS))}… ${signature.length} characters`
}

function mediaText({ mimeType, bytes, ms }: Extract<Shown, { kind: 'media' }>): string {
  const what = mimeType === '' ? 'media' : mimeType
  return ms === undefined ? `${what} ${size(bytes)}` : `${seconds(ms)} of ${what}`
}

/** A number of bytes for people: `812 B`, `1.4 kB`, `28.0 MB`. */
function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A time or a length, from milliseconds: `2.213 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`
}

function json(value: JsonValue): string {
  return JSON.stringify(value)
}

/** In short, line feeds would take the room of what matters. */
function say(tone: Tone, text: string, detail: Detail): Span {
  const safe = printable(text)
  return { tone, text: detail === 'full' ? safe : safe.replaceAll(/\s*\n\s*/g, ' ⏎ ') }
}

function dim(text: string): Span {
  return { tone: 'dim', text }
}
