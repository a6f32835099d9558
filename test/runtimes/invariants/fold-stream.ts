/**
 * Folds what models say in pieces, over HTTP and over sockets: text runs on until something ends it, a call until it
 * is whole.
 */
import { foldArguments } from './arguments.ts'
import type { Said } from './said.ts'
import type { Draft, DraftCall, DraftText } from './wire-parts.ts'

/** What ends a run of text in Live, whatever comes after. */
const ENDS: ReadonlySet<Said['kind']> = new Set([
  'interrupted',
  'turn-complete',
  'generation-complete',
  'go-away',
])

/** The parts of a stream, or of one side of a socket, in order. */
export function streamParts(said: readonly Said[]): readonly Draft[] {
  const drafts: Draft[] = []
  let open: DraftCall | undefined
  let text: DraftText | undefined
  for (const saying of said) {
    const { at, signature } = saying
    const place = { from: at, to: at, signature }
    if (ENDS.has(saying.kind)) text = undefined
    switch (saying.kind) {
      case 'text': {
        if (saying.text === '' && signature === undefined) break
        text = runOn(text, saying, drafts)
        break
      }
      case 'call': {
        text = undefined
        const whole = !saying.willContinue && saying.pieces.length === 0
        if (saying.name === undefined) {
          if (open !== undefined) goOn(open, saying)
        } else {
          const args = foldArguments(saying.pieces, saying.args)
          open = {
            kind: 'call',
            id: saying.id,
            name: saying.name,
            args,
            streamed: !whole,
            closed: !saying.willContinue,
            ...place,
          }
          drafts.push(open)
        }
        if (open?.closed === true) open = undefined
        break
      }
      case 'media':
        drafts.push({ kind: 'media', mimeType: saying.mimeType, bytes: saying.bytes, ...place })
        break
      case 'code':
      case 'outcome':
        text = undefined
        drafts.push({ kind: saying.kind, value: saying.value, ...place })
        break
    }
  }
  return drafts
}

/** Adds a piece to the run that goes on, or begins one. A signed piece is the last of its run. */
function runOn(
  run: DraftText | undefined,
  { at, text, thought, signature }: Extract<Said, { kind: 'text' }>,
  drafts: Draft[],
): DraftText {
  const chunks = text === '' ? [] : [{ text, at }]
  // A signature on an empty text may stand for what was said before, and may stand alone: it begins no run.
  if (run === undefined || run.thought !== thought || run.ended === true) {
    const begun: DraftText = {
      kind: 'text',
      thought,
      text,
      chunks,
      from: at,
      to: at,
      signature,
      ended: signature !== undefined,
    }
    drafts.push(begun)
    return begun
  }
  run.text += text
  run.chunks = [...run.chunks, ...chunks]
  run.to = at
  run.signature = signature
  run.ended = signature !== undefined
  return run
}

function goOn(
  call: DraftCall,
  { at, args, pieces, willContinue, signature, id }: Extract<Said, { kind: 'call' }>,
): void {
  call.args = foldArguments(pieces, { ...call.args, ...args })
  call.streamed = true
  call.closed = !willContinue
  call.to = at
  call.id ??= id
  call.signature ??= signature
}
