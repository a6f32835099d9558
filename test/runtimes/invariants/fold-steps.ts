/** Folds what an interaction says: what belongs together has the same index, in whatever order it comes. */
import { isJsonObject, parseJson } from '../../../src/wire/json.ts'
import type { Said } from './said.ts'
import type { Draft, DraftCall, DraftText } from './wire-parts.ts'

type SaidText = Extract<Said, { kind: 'text' }>

/** The parts of an interaction, in the order of its steps. */
export function stepParts(said: readonly Said[]): readonly Draft[] {
  const drafts: Draft[] = []
  const thoughts = new Set<number | undefined>()
  for (const saying of said) {
    const { at, signature, step } = saying
    const place = { from: at, to: at, step }
    const own = drafts.find(draft => draft.step === step && draft.kind !== 'media')
    switch (saying.kind) {
      case 'step':
        if (saying.begins && saying.type === 'thought') thoughts.add(step)
        if (!saying.begins && own?.kind === 'call') own.closed = true
        break
      case 'text':
        if (own?.kind === 'text') runOn(own, saying)
        else drafts.push({ ...textBegun(saying), ...place, signature })
        break
      case 'call':
        drafts.push({
          kind: 'call',
          id: saying.id,
          name: saying.name ?? '',
          args: saying.args ?? {},
          streamed: false,
          closed: false,
          ...place,
          signature,
        })
        break
      case 'arguments':
        if (own?.kind === 'call') argue(own, saying.json, at)
        break
      case 'signature':
        if (own !== undefined) own.signature = signature
        else
          drafts.push({
            kind: 'text',
            thought: thoughts.has(step),
            text: '',
            chunks: [],
            ...place,
            signature,
          })
        break
      case 'media':
        drafts.push({ kind: 'media', mimeType: saying.mimeType, bytes: saying.bytes, ...place, signature })
        break
    }
  }
  return drafts.toSorted((one, other) => (one.step ?? 0) - (other.step ?? 0))
}

function textBegun({ at, text, thought }: SaidText): Pick<DraftText, 'kind' | 'thought' | 'text' | 'chunks'> {
  return { kind: 'text', thought, text, chunks: [{ text, at }] }
}

function runOn(part: DraftText, { at, text }: SaidText): void {
  part.text += text
  part.chunks = [...part.chunks, { text, at }]
  part.to = at
}

function argue(call: DraftCall, json: string, at: number): void {
  call.json = (call.json ?? '') + json
  call.streamed = true
  call.to = at
  const value = parseJson(call.json)
  if (isJsonObject(value)) call.args = value
}
