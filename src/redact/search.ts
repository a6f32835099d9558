/**
 * Searches text for many needles at once, in time that is linear in the text.
 *
 * One expression finds the places where a needle may begin; the needle then looks itself. What the text
 * ends in the middle of is left undecided.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, type Finding, type Needle } from './needle.ts'
import { unitAt, type Ending } from './percent.ts'
import { createPlaces } from './places.ts'
import { endOfSpelled, LONGEST_ENCODED, LONGEST_PLAIN, spelledPattern, type Spelling } from './spelled.ts'

type Secret = Extract<Finding, { type: 'secret' }>

/** What was found in a text, up to `decided`. */
export interface Search {
  readonly secrets: readonly Secret[]
  /** Everything before this offset is decided. */
  readonly decided: number
  /** Set when a key that can't be replaced begins at `decided`. */
  readonly refused: string | undefined
}

/** Searches from an offset on; what stands before it is looked at, never found. */
export type Searcher = (text: string, from: number, ending: Ending) => Search

interface Head {
  readonly text: string
  readonly spelling: Spelling
}

/** What a head may be spelled with besides its own characters: escapes, and line breaks, raw and escaped. */
const SPELLED_WITH = '\\%u0123456789abcdefABCDEF\r\nnr+'

/** Makes the search for these needles. Where two begin at one place, the first that finds something counts. */
export function createSearcher(needles: readonly Needle[]): Searcher {
  const heads = headsOf(needles)
  const anyHead = new RegExp(heads.map(head => spelledPattern(head.text, head.spelling)).join('|'), 'g')
  const anyBeginning = beginningsOf(heads)
  const alphabet = new Set(heads.map(head => head.text + SPELLED_WITH).join(''))
  const byFirst = new Map<string, Head[]>()
  for (const head of heads) {
    const first = head.text.charAt(0)
    byFirst.set(first, [...(byFirst.get(first) ?? []), head])
  }

  function findAt(text: string, at: number, ending: Ending): Finding {
    for (const needle of needles) {
      if (!needle.heads.some(head => typeof endOfSpelled(text, at, head, needle.spelling) === 'number'))
        continue
      const finding = needle.find(text, at, ending)
      if (finding.type !== 'no') return finding
    }
    return { type: 'no' }
  }

  // The first place from which the text is the beginning of a head.
  function startOfHead(text: string, from: number): number {
    const encoded = text.includes('%', text.length - HEAD_LENGTH * LONGEST_ENCODED)
    const longest = HEAD_LENGTH * (encoded ? LONGEST_ENCODED : LONGEST_PLAIN)
    const earliest = Math.max(from, text.length - longest)
    let start = text.length
    while (start > earliest && alphabet.has(text.charAt(start - 1))) start -= 1
    anyBeginning.lastIndex = start
    for (let match = anyBeginning.exec(text); match !== null; match = anyBeginning.exec(text)) {
      const at = match.index
      const first = unitAt(text, at, 'open')
      const escape = first === 'more' || first.character === '\\'
      const possible = escape ? heads : byFirst.get(first.character)
      if (possible?.some(head => endOfSpelled(text, at, head.text, head.spelling) === 'more') === true)
        return at
      anyBeginning.lastIndex = at + 1
    }
    return text.length
  }

  return (text, from, ending) => {
    const secrets: Secret[] = []
    let done = from
    // Nothing from here on can be told, even where a shorter head stands in what begins a longer one.
    let tail = ending === 'closed' ? text.length : startOfHead(text, done)
    const places = createPlaces(text, anyHead)
    for (let at = places.next(from); at < tail;) {
      const finding = findAt(text, at, ending)
      switch (finding.type) {
        case 'no':
          at = places.next(at + 1)
          break
        case 'more':
          return { secrets, decided: at, refused: undefined }
        case 'refused':
          return { secrets, decided: Math.max(done, finding.start), refused: finding.kind }
        case 'secret':
          secrets.push(finding)
          done = finding.end
          at = places.next(done)
          if (done > tail) tail = startOfHead(text, done)
      }
    }
    return { secrets, decided: tail, refused: undefined }
  }
}

/**
 * Where a text may begin one of these heads, told by two characters: a piece of a body has its last hundred
 * looked at for each that it is cut after. Spelled otherwise, a head begins with an escape, or has one or a line
 * break behind its first character.
 */
function beginningsOf(heads: readonly Head[]): RegExp {
  const pairs = new Set(heads.map(({ text }) => spelledPattern(text.slice(0, 2), 'text')))
  const firsts = new Set(heads.map(({ text }) => escaped(text.charAt(0))))
  return new RegExp(`${[...pairs].join('|')}|(?:${[...firsts].join('|')})(?:[\\\\%\\r\\n]|$)|[\\\\%]`, 'g')
}

function escaped(text: string): string {
  return text.replace(/[^\w%]/g, '\\$&')
}

/** The heads of all needles, each once. */
function headsOf(needles: readonly Needle[]): readonly Head[] {
  const heads = needles.flatMap(({ heads: texts, spelling }) =>
    texts.map((text): [string, Head] => [spelling + text, { text, spelling }]),
  )
  return [...new Map(heads).values()]
}
