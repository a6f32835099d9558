/**
 * A cassette on a screen: its head, and for each exchange a timeline in two lanes, the client's and the service's.
 *
 * The lanes overlap: the service's begins to the right, so that who speaks is seen at a glance, and both
 * are as wide as they can be.
 *
 * Room: view.
 */
import { weighIn, traceOf } from '../cassette/trace.ts'
import type { Cassette, Exchange, Header } from '../cassette/model.ts'
import { titleOf } from '../dialect/digest.ts'
import type { Trace, TraceHead } from '../dialect/trace.ts'
import { itemsOf, joined, type Entry } from './entries.ts'
import { clip, printable, wrap, type Span, type Tone } from './text.ts'
import { seconds, wordsOf, type Detail } from './words.ts'

/** How a cassette is shown. */
export interface ViewOptions {
  /** Columns of the screen. */
  readonly width: number
  readonly detail: Detail
  /** Gives text its tone, in whatever way the screen has. */
  readonly paint: (tone: Tone, text: string) => string
}

/** How wide the times are at least: `99.999 s`. */
const STAMP = 9
/** The blanks behind them. */
const GAP = 2
/** The narrowest lanes that are still readable; a narrower screen breaks its lines itself. */
const NARROWEST = 48
/** How many lines an entry takes at most, unless all of it is shown. */
const MOST_LINES = 4

/** One line with its tones, not yet painted. */
type Line = readonly Span[]

/** The whole cassette as text, a line feed after each line. */
export function showCassette(cassette: Cassette, options: ViewOptions): string {
  const width = Math.max(NARROWEST, options.width)
  let number = 0
  const blocks = cassette.documents.map(document => {
    if (document.type === 'header') {
      return number === 0
        ? headLines(cassette, document.header, width)
        : [...headerLines(document.header, width)]
    }
    number += 1
    return exchangeLines(document.exchange, number, { ...options, width })
  })
  return blocks
    .map(lines => lines.map(line => `${painted(line, options)}\n`).join(''))
    .filter(text => text !== '')
    .join('\n')
}

function painted(line: Line, { paint }: ViewOptions): string {
  const spans = line.filter(({ text }) => text !== '')
  const last = spans.length - 1
  return spans.map(({ tone, text }, index) => paint(tone, index === last ? text.trimEnd() : text)).join('')
}

function headLines(cassette: Cassette, header: Header, width: number): readonly Line[] {
  const count = cassette.documents.filter(({ type }) => type === 'exchange').length
  const title: Line = [
    { tone: 'strong', text: printable(cassette.file) },
    { tone: 'dim', text: `  ${count} exchange${count === 1 ? '' : 's'}` },
  ]
  return [title, ...headerLines(header, width)]
}

function headerLines({ recorded, by, client, note }: Header, width: number): readonly Line[] {
  const facts = [recorded, by && `by ${by}`, client].filter(fact => fact !== undefined && fact !== '')
  return [
    ...(note === undefined ? [] : wrap([{ tone: 'plain', text: printable(note) }], width)),
    ...(facts.length === 0 ? [] : wrap([{ tone: 'dim', text: printable(facts.join(', ')) }], width)),
  ]
}

function exchangeLines(exchange: Exchange, number: number, options: ViewOptions): readonly Line[] {
  const trace = traceOf(exchange)
  const items = joined(itemsOf(trace, weighIn(exchange)))
  const shown = options.detail === 'full' ? items : items.filter(isWorthShowing)
  const left = items.filter(({ shown: item }) => 'earlier' in item && item.earlier === true).length
  const rows = [
    ...(options.detail === 'short' && left > 0 ? [sentAlong(left)] : []),
    ...shown.map(entry => ({ at: entry.at, from: entry.from, spans: wordsOf(entry, options.detail) })),
  ]
  const withHead = insertHead(rows, trace, options.detail)
  const stamp = withHead.reduce((most, { at }) => Math.max(most, stampOf(at).length), STAMP)
  const lanes = lanesOf(options.width, stamp)
  let last: string | undefined
  const body = withHead.flatMap(row => {
    const time = stampOf(row.at)
    const lines = rowLines(row, time === last ? '' : time, lanes, options.detail)
    last = time
    return lines
  })
  return [
    ...titleLines(exchange, trace, number, options.width),
    [],
    [
      { tone: 'dim', text: `${' '.repeat(stamp + GAP)}client`.padEnd(stamp + GAP + lanes.indent) },
      { tone: 'dim', text: 'service' },
    ],
    ...body,
  ]
}

function isWorthShowing({ shown }: Entry): boolean {
  if ('earlier' in shown && shown.earlier === true) return false
  return !('quiet' in shown && shown.quiet === true)
}

interface Row {
  readonly at: number | undefined
  readonly from: 'client' | 'server'
  readonly spans: readonly Span[]
}

function sentAlong(count: number): Row {
  const text = `sends ${count} earlier ${count === 1 ? 'part' : 'parts'} along`
  return { at: 0, from: 'client', spans: [{ tone: 'dim', text }] }
}

/** The rows with the head of the answer before what it answers, and the end after everything. */
function insertHead(rows: readonly Row[], trace: Trace, detail: Detail): readonly Row[] {
  const asked = rows.filter(({ from }) => from === 'client')
  const answered = rows.filter(({ from }) => from === 'server')
  const ends = endRows(trace)
  if (trace.answer === 'socket') return [...headerRows(trace, detail), ...rows, ...ends]
  const head = trace.head === undefined ? [] : headRows(trace.head, detail)
  return [...headerRows(trace, detail), ...asked, ...head, ...answered, ...ends]
}

function headerRows({ requestHeaders }: Trace, detail: Detail): readonly Row[] {
  if (detail === 'short') return []
  return requestHeaders.map(([name, value]) => headerRow('client', 0, name, value))
}

function headRows({ at, status, reason, headers }: TraceHead, detail: Detail): readonly Row[] {
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  const words = [status, reason].filter(word => word !== undefined && word !== '').join(' ')
  const line: Row = {
    at,
    from: 'server',
    spans: [
      { tone: status < 400 ? 'good' : 'bad', text: printable(words) },
      { tone: 'dim', text: type === undefined || detail === 'full' ? '' : `  ${printable(type)}` },
    ],
  }
  if (detail === 'short') return [line]
  return [line, ...headers.map(([name, value]) => headerRow('server', at, name, value))]
}

function headerRow(from: Row['from'], at: number | undefined, name: string, value: string): Row {
  return {
    at,
    from,
    spans: [
      { tone: 'dim', text: `${name}: ` },
      { tone: 'plain', text: printable(value) },
    ],
  }
}

function endRows({ close, ended, endedAt }: Trace): readonly Row[] {
  const rows: Row[] = []
  if (close !== undefined) {
    const words = ['closes', close.code ?? 'without a code', close.reason].filter(word => word !== '')
    const tone = close.code === 1000 || close.code === undefined ? 'strong' : 'bad'
    rows.push({ at: close.at, from: close.by, spans: [{ tone, text: printable(words.join(' ')) }] })
  }
  if (ended !== undefined) {
    const from = ended === 'client-abort' ? 'client' : 'server'
    rows.push({ at: endedAt, from, spans: [{ tone: 'bad', text: ended }] })
  }
  return rows
}

function titleLines(exchange: Exchange, trace: Trace, number: number, width: number): readonly Line[] {
  const label = `${number}  `
  const indent = label.length
  const facts = [
    exchange.at === undefined ? undefined : `begins at ${seconds(exchange.at)}`,
    trace.endedAt === undefined ? undefined : `takes ${seconds(trace.endedAt)}`,
    exchange.repeat === undefined ? undefined : `repeat: ${exchange.repeat}`,
    exchange.match === undefined ? undefined : `match: ${exchange.match}`,
  ].filter(fact => fact !== undefined)
  const title = titleOf(trace.dialect, trace.method, trace.url)
  const name =
    exchange.name === undefined ? [] : [{ tone: 'strong', text: `${printable(exchange.name)}  ` } as const]
  const lines = [
    ...wrap([...name, { tone: 'strong', text: printable(title) }], width - indent),
    ...(exchange.note === undefined
      ? []
      : wrap([{ tone: 'plain', text: printable(exchange.note.trim()) }], width - indent)),
    ...(facts.length === 0 ? [] : wrap([{ tone: 'dim', text: facts.join(', ') }], width - indent)),
  ]
  return lines.map((line, index) => [
    { tone: index === 0 ? 'strong' : 'plain', text: index === 0 ? label : ' '.repeat(indent) },
    ...line,
  ])
}

interface Lanes {
  /** The width of the times. */
  readonly stamp: number
  /** Where the service's lane begins, from the client's. */
  readonly indent: number
  /** The width of each. */
  readonly width: number
}

function lanesOf(width: number, stamp: number): Lanes {
  const room = width - stamp - GAP
  const indent = Math.floor(room * 0.36)
  return { stamp, indent, width: room - indent }
}

function stampOf(at: number | undefined): string {
  return at === undefined ? '' : seconds(at)
}

function rowLines({ from, spans }: Row, time: string, lanes: Lanes, detail: Detail): readonly Line[] {
  const wrapped = wrap(spans, lanes.width)
  const lines = detail === 'full' ? wrapped : clip(wrapped, MOST_LINES, lanes.width)
  const indent = ' '.repeat(from === 'server' ? lanes.indent : 0)
  return lines.map((line, index) => {
    const stamp = (index === 0 ? time : '').padStart(lanes.stamp)
    return [{ tone: 'dim', text: stamp + ' '.repeat(GAP) }, { tone: 'plain', text: indent }, ...line]
  })
}
