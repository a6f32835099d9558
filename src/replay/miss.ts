/**
 * Says why a request has no answer: what came, what is recorded, where they differ, what to do next.
 *
 * Room: replay.
 */
import leven from 'leven'
import type { Asked } from './asked.ts'
import { differences, type FoundDifference } from './difference.ts'
import type { Failure } from './http.ts'
import { exchangeName, type Recorded } from './recorded.ts'
import { counted } from './report.ts'
import { answers, type Selection } from './selection.ts'

/** The recording's nearest thing to a request that it does not hold. */
type NearMiss =
  /** It answers this request, but is used up. */
  | { readonly type: 'used'; readonly recorded: Recorded }
  /** It answers this request, but `first` must be asked for before. */
  | { readonly type: 'early'; readonly recorded: Recorded; readonly first: Recorded }
  /** The same operation with another body. */
  | { readonly type: 'differs'; readonly recorded: Recorded; readonly found: readonly FoundDifference[] }
  /** No exchange has this operation; those there are, nearest first. */
  | { readonly type: 'unknown'; readonly operations: readonly string[] }

/** How many other places or operations a message lists. */
const LISTED = 5

/**
 * Describes a miss, for the client and for the report.
 *
 * @param redact - Takes secrets out of text. What came is redacted already, but for what decoding it shows.
 */
export function describeMiss(asked: Asked, selection: Selection, redact: (text: string) => string): Failure {
  const near = nearest(asked, selection, redact)
  const lines = [headline(near), `  asked:    ${asked.operation}`, ...recordedLines(near, selection)]
  return {
    code: 'WIRETAPE_NO_MATCH',
    message: [...lines, '', ...advice(near, selection)].join('\n'),
    details: { operation: asked.operation, ...facts(near, selection) },
  }
}

/** Describes that the user's own function could not tell whether a request is recorded. */
export function describeTrouble(asked: Asked, trouble: string): Failure {
  return {
    code: 'WIRETAPE_NO_MATCH',
    message: [
      `The \`match\` function failed: ${trouble}.`,
      `  asked:    ${asked.operation}`,
      '',
      'Mend the function: it gets two requests, and must return true or false.',
    ].join('\n'),
    details: { operation: asked.operation, cause: 'match-function-failed', trouble },
  }
}

/** The first line of a text. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function nearest(asked: Asked, selection: Selection, redact: (text: string) => string): NearMiss {
  const same = selection.sameOperation(asked)
  if (same.length === 0) {
    const operations = [...new Set(selection.all.map(recorded => recorded.operation))]
    const far = new Map(operations.map(operation => [operation, leven(operation, asked.operation)]))
    return {
      type: 'unknown',
      operations: operations.toSorted((a, b) => (far.get(a) ?? 0) - (far.get(b) ?? 0)),
    }
  }
  const answering = same.filter(recorded => answers(recorded, asked))
  const open = answering.find(recorded => selection.isOpen(recorded))
  const first = open === undefined ? undefined : selection.before(open)
  if (open !== undefined && first !== undefined) return { type: 'early', recorded: open, first }
  const [used] = answering
  if (used !== undefined) return { type: 'used', recorded: used }
  const unused = same.filter(recorded => selection.isOpen(recorded))
  const [closest] = (unused.length > 0 ? unused : same)
    .map(recorded => ({ recorded, found: differences(recorded.body(), asked.body(), redact) }))
    .toSorted((a, b) => a.found.length - b.found.length)
  if (closest === undefined) return { type: 'unknown', operations: [] }
  return { type: 'differs', ...closest }
}

function headline(near: NearMiss): string {
  switch (near.type) {
    case 'used':
      return 'The recording has no further answer to this request.'
    case 'early':
      return 'This request came before its turn on the recording.'
    case 'differs':
    case 'unknown':
      return 'This request is not on the recording.'
  }
}

function recordedLines(near: NearMiss, selection: Selection): readonly string[] {
  switch (near.type) {
    case 'used':
      return [`  recorded: ${exchangeName(near.recorded)}, ${useOf(near.recorded, selection)}`]
    case 'early':
      return [
        `  recorded: ${exchangeName(near.recorded)}, to be matched in strict order`,
        `  first:    ${near.first.operation}, ${exchangeName(near.first)}`,
      ]
    case 'differs': {
      const [first, ...others] = near.found
      return [
        `  recorded: ${exchangeName(near.recorded)}, ${useOf(near.recorded, selection)}`,
        ...(first === undefined ? [] : differenceLines(first)),
        ...(others.length === 0
          ? []
          : [`  and at ${counted(others.length, 'more place')}: ${listed(others.map(({ path }) => path))}`]),
      ]
    }
    case 'unknown':
      return near.operations.length === 0
        ? ['  recorded: nothing at all']
        : [
            ...near.operations
              .slice(0, LISTED)
              .map((line, at) => `${at === 0 ? '  recorded: ' : ' '.repeat(12)}${line}`),
            ...(near.operations.length > LISTED
              ? [`${' '.repeat(12)}and ${near.operations.length - LISTED} more`]
              : []),
          ]
  }
}

function differenceLines(found: FoundDifference): readonly string[] {
  const { path, recorded, received } = found.show()
  return [
    `  differs:  ${path}`,
    `    recorded: ${recorded ?? '(nothing)'}`,
    `    received: ${received ?? '(nothing)'}`,
  ]
}

/** One thing to do a line. */
function advice(near: NearMiss, selection: Selection): readonly string[] {
  switch (near.type) {
    case 'used':
      return [
        `If the app may ask that often, set \`repeat: ${selection.uses(near.recorded) + 1}\` (or \`always\`) on that exchange.`,
        recordAgain(near.recorded.file),
      ]
    case 'early':
      return ['If the order does not matter, take `strict-order` out of the exchange or the options.']
    case 'differs':
      return [
        recordAgain(near.recorded.file),
        'If the body does not matter, set `match: route` on that exchange.',
      ]
    case 'unknown': {
      const file = selection.all[0]?.file
      return file === undefined
        ? ['Replay a cassette that holds this request.']
        : ['Is this the right cassette?', recordAgain(file)]
    }
  }
}

function recordAgain(file: string): string {
  return `If the app is right, record again: wiretape record ${file} --overwrite`
}

/** What programs get of it: JSON-safe, redacted. */
function facts(near: NearMiss, selection: Selection): Readonly<Record<string, unknown>> {
  if (near.type === 'unknown') return { recordedOperations: near.operations.slice(0, LISTED) }
  const { file, number, exchange } = near.recorded
  const base = { file, exchange: number, line: exchange.line, uses: selection.uses(near.recorded) }
  switch (near.type) {
    case 'used':
      return base
    case 'early':
      return { ...base, first: near.first.number }
    case 'differs': {
      const [first] = near.found
      return {
        ...base,
        ...(first === undefined ? {} : { difference: first.show() }),
        differences: near.found.length,
      }
    }
  }
}

/** The facts of a failure as a service's error carries them: a flat map of strings. */
export function metadataOf({ details }: Failure): Readonly<Record<string, string>> {
  const { difference, ...others } = details
  return Object.fromEntries(
    Object.entries({ ...others, ...(isObject(difference) ? difference : {}) }).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** `not asked for yet`, `was already asked for`, `was already asked for 3 times`. */
function useOf(recorded: Recorded, selection: Selection): string {
  const uses = selection.uses(recorded)
  if (uses === 0) return 'not asked for yet'
  return uses === 1 ? 'was already asked for' : `was already asked for ${uses} times`
}

function listed(items: readonly string[]): string {
  return `${items.slice(0, LISTED).join(', ')}${items.length > LISTED ? ', ...' : ''}`
}
