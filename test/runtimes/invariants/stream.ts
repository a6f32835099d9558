/** Answers over HTTP and their ends: odd framing, errors, broken streams, reasons, usage (I30 to I35). */
import { shallow } from '../../../src/dialect/live-fold.ts'
import type { JsonObject } from '../../../src/wire/json.ts'
import type { Finding, Invariant, Run } from './run.ts'
import { endedWell, errorsSeen, fromModel, isSdk, played, saidOf, seen, textIn, wireTexts } from './view.ts'
import type { WireExchange } from './wire.ts'
import { listed, shown } from './words.ts'

/** It applies where a stream came in other pieces than one event each, and came to a good end. */
const anyChunks: Invariant = {
  number: 'I30',
  says: 'It does not matter in which pieces the bytes of a stream come.',
  judge: run => readDespite(run, ({ framing }) => framing.chunks),
}

/** It applies where a stream has line ends, comments or fields that the service rarely sends, and came to a good end. */
const anyFraming: Invariant = {
  number: 'I31',
  says: 'A stream is read however it is framed: any line ends, comments, `data:` without a blank, fields that are not known, no blank line at the end.',
  judge: run => readDespite(run, ({ framing }) => framing.odd),
}

function readDespite(
  run: Run,
  oddOf: (exchange: WireExchange) => readonly string[],
): readonly Finding[] | undefined {
  const exchanges = played(run)
  const odd = exchanges.filter(exchange => oddOf(exchange).length > 0 && endedWell(exchange))
  if (odd.length === 0) return undefined
  const events = fromModel(seen(run))
  const findings = odd.flatMap(exchange => {
    const what = listed(oddOf(exchange))
    const lost = (['text', 'thought'] as const).flatMap(kind => {
      const said = wireTexts([exchange], kind)
        .map(({ text }) => text)
        .join('')
      const got = [true, undefined].map(partial =>
        textIn(
          events.filter(event => event.partial === partial),
          kind,
        ),
      )
      return got.some(text => text.includes(said))
        ? []
        : [
            `the stream has ${what}; of ${shown(said)}, the events have ${shown(got.find(text => text !== '') ?? '')}`,
          ]
    })
    const raised = exchanges.every(endedWell)
      ? errorsSeen(run).map(error => `the stream has ${what}, and is whole; the app got ${shown(error)}`)
      : []
    return [...lost, ...raised]
  })
  return [...new Set(findings)]
}

/**
 * It applies where the service says an error, in a stream or in place of one. An interaction that failed is handed out
 * by a client library as it is, errors and all: what its app makes of it, is the app's.
 */
const errorIsTold: Invariant = {
  number: 'I32',
  says: 'An error of the service, in the middle of a stream too, reaches the app with its code; it never passes for an answer.',
  judge(run) {
    const failed = played(run).filter(
      exchange =>
        exchange.api !== 'live' &&
        saidOf([exchange], 'error').length > 0 &&
        !(isSdk(run.transcript) && exchange.api === 'interactions' && exchange.answer === 'body'),
    )
    if (failed.length === 0) return undefined
    const errors = errorsSeen(run)
    // Who tried again got the replay's refusal in the end, whatever it would have told of the error.
    if (errors.length > 0 && run.received.some(({ exchange }) => exchange === undefined)) return undefined
    return saidOf(failed, 'error').flatMap(({ code, status, message }): readonly Finding[] => {
      const what = `the service says the error ${[code, status].filter(word => word !== undefined).join(' ')}: ${shown(message)}`
      if (errors.length === 0) return [`${what}; the app got none`]
      const words = [code, status].flatMap(word => word?.toLowerCase() ?? [])
      if (words.length === 0 || errors.some(error => words.some(word => error.toLowerCase().includes(word))))
        return []
      return [`${what}; the app got ${listed(errors.map(shown))}`]
    })
  },
}

/** A client library shows that there is no finish reason by giving none; only a cut or a broken event it has to tell. */
const incompleteIsTold: Invariant = {
  number: 'I33',
  says: 'A stream that ends without a finish reason, is cut, or breaks is told as an error, or marked as not whole.',
  judge(run) {
    const broken = played(run).flatMap(exchange => brokenBy(exchange, run) ?? [])
    if (broken.length === 0) return undefined
    const marked = seen(run).some(
      ({ finishReason, interrupted }) =>
        interrupted || (finishReason !== undefined && finishReason.toUpperCase() !== 'STOP'),
    )
    if (errorsSeen(run).length > 0 || marked) return []
    return broken.map(what => `${what}; the app got neither an error nor a mark`)
  },
}

function brokenBy(exchange: WireExchange, { transcript }: Run): string | undefined {
  if (exchange.api === 'live' || (exchange.status ?? 200) >= 400 || saidOf([exchange], 'error').length > 0)
    return undefined
  if (exchange.cut) return 'the stream was cut'
  const raw = saidOf([exchange], 'raw')[0]
  if (raw !== undefined) return `the stream has what is no JSON: ${shown(raw.text)}`
  if (isSdk(transcript) || exchange.api === 'interactions') return undefined
  const ends = saidOf([exchange], 'finish').length + saidOf([exchange], 'blocked').length
  return ends === 0 ? 'the stream ended without a finish reason' : undefined
}

/** What other libraries call the reasons of the API. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  MAX_TOKENS: ['length', 'max_tokens', 'max-tokens'],
  SAFETY: ['content-filter', 'content_filter'],
  PROHIBITED_CONTENT: ['content-filter', 'content_filter'],
  BLOCKLIST: ['content-filter', 'content_filter'],
  RECITATION: ['content-filter', 'content_filter'],
  SPII: ['content-filter', 'content_filter'],
}

/** It applies where a reason is not STOP. */
const reasonIsTold: Invariant = {
  number: 'I34',
  says: 'A finish reason other than STOP, and why a prompt was blocked, can be seen by the app.',
  judge(run) {
    const exchanges = played(run).filter(({ api }) => api === 'generate-content')
    const reasons = [
      ...saidOf(exchanges, 'finish').filter(({ reason }) => reason !== 'STOP'),
      ...saidOf(exchanges, 'blocked'),
    ].map(({ reason }) => reason)
    if (reasons.length === 0) return undefined
    const told = [...seen(run).flatMap(({ finishReason }) => finishReason ?? []), ...errorsSeen(run)].map(
      text => text.toLowerCase(),
    )
    return reasons
      .filter(
        reason =>
          ![reason.toLowerCase(), ...(WORDS[reason] ?? [])].some(word =>
            told.some(text => text.includes(word)),
          ),
      )
      .map(reason => `the answer ended for ${reason}; the app got ${listed(told.map(shown))}`)
  },
}

/** Those whose output has no usage of one answer: nothing can be asked of it. */
const NO_USAGE: ReadonlySet<string> = new Set(['@google/gemini-cli'])

/** It applies where an answer over HTTP has counted tokens. */
const usageIsLast: Invariant = {
  number: 'I35',
  says: 'The usage of an answer is the last that came with it, wherever it came; an event with nothing else is no content and no error.',
  judge(run) {
    const answers = played(run).filter(exchange => exchange.api !== 'live' && endedWell(exchange))
    const wire = answers.flatMap(exchange =>
      saidOf([exchange], 'usage')
        .flatMap(({ usage }) => totalOf(usage) ?? [])
        .slice(-1),
    )
    if (Object.keys(run.transcript.runtime).some(name => NO_USAGE.has(name))) return undefined
    // Who could not read the answer has said so.
    if (wire.length === 0 || errorsSeen(run).length > 0) return undefined
    const events = isSdk(run.transcript) ? seen(run) : seen(run).filter(({ partial }) => !partial)
    const told = events.flatMap(({ usage }) =>
      usage === undefined ? [] : (totalOf(JSON.parse(JSON.stringify(usage))) ?? []),
    )
    let from = 0
    const missing = wire.filter(total => {
      const at = told.indexOf(total, from)
      if (at !== -1) from = at + 1
      return at === -1
    })
    if (missing.length === 0) return []
    return [
      `the answers used ${listed(wire.map(String))} tokens in all; the events say ${listed(told.map(String))}`,
    ]
  },
}

function totalOf(usage: JsonObject): number | undefined {
  const { totalTokenCount, totalTokens } = shallow(usage)
  return [totalTokenCount, totalTokens].find(total => typeof total === 'number')
}

/** All of them. */
export const STREAM: readonly Invariant[] = [
  anyChunks,
  anyFraming,
  errorIsTold,
  incompleteIsTold,
  reasonIsTold,
  usageIsLast,
]
