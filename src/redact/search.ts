/**
 * Searches text for many needles at once, in time that is linear in the text.
 *
 * One expression finds the places where a needle may begin; the needle then looks itself. What the text
 * ends in the middle of is left undecided.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, type Finding, type Needle } from './needle.ts'
import { endOfSpelled, spelledPattern, type Ending, type Spelling } from './spelled.ts'

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

/** How long a head may be spelled: each character escaped, or with a line break before it. */
const LONGEST_HEAD = HEAD_LENGTH * 12

/** What a head may be spelled with besides its own characters: escapes, and line breaks, raw and escaped. */
const SPELLED_WITH = '\\%u0123456789abcdefABCDEF\r\nnr'

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
    const earliest = Math.max(from, text.length - LONGEST_HEAD)
    let start = text.length
    while (start > earliest && alphabet.has(text.charAt(start - 1))) start -= 1
    anyBeginning.lastIndex = start
    for (let match = anyBeginning.exec(text); match !== null; match = anyBeginning.exec(text)) {
      const at = match.index
      const first = text.charAt(at)
      const possible = first === '\\' || first === '%' ? heads : byFirst.get(first)
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
    anyHead.lastIndex = from
    for (let match = anyHead.exec(text); match !== null && match.index < tail; match = anyHead.exec(text)) {
      const finding = findAt(text, match.index, ending)
      switch (finding.type) {
        case 'no':
          anyHead.lastIndex = match.index + 1
          break
        case 'more':
          return { secrets, decided: match.index, refused: undefined }
        case 'refused':
          return { secrets, decided: Math.max(done, finding.start), refused: finding.kind }
        case 'secret':
          secrets.push(finding)
          done = finding.end
          anyHead.lastIndex = done
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
  const pairs = new Set(heads.map(({ text }) => escaped(text.slice(0, 2))))
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
