/**
 * Answers of models, written by hand: the chunks of a stream, and the body of an answer that comes at once.
 *
 * Room: dialect.
 */
import type { JsonObject, JsonValue } from '../wire/json.ts'
import {
  addTo,
  callIdOf,
  chunk,
  chunkOf,
  chunkValue,
  finish,
  type CandidateItem,
  type Chunk,
  type ChunkContent,
  type ChunkItem,
  type FinishItem,
} from './build-chunk.ts'
import { draftOf, ofStreams, tokensOf, type AnswerContext, type DraftEvent } from './build-draft.ts'
import { errorValue, type ErrorItem } from './build-errors.ts'
import { wrongUse, type ArgumentItem, type StreamedCallItem } from './build-items.ts'
import { signed } from './build-parts.ts'
import {
  unplaced,
  type DataItem,
  type FieldsItem,
  type Placed,
  type Placing,
  type RawItem,
  type UsageItem,
} from './build-stream.ts'
import { spellPretty } from './spelling.ts'

/** Any of these, not placed. */
export type ModelStretch = ChunkContent | ChunkItem | StreamedCallItem | DataItem | RawItem | ErrorItem

/** What a model's answer is made of; see {@link chunk} for how it is parted into chunks. */
export type ModelItem = ModelStretch | Placed<ModelStretch>

/** The events of a streamed answer. */
export function modelEvents(items: readonly ModelItem[], context: AnswerContext): readonly DraftEvent[] {
  const { drafts, shared } = draftsOf(items, context)
  return drafts.map(draft => {
    if (draft.type !== 'chunk') return draft.event
    const content = { type: 'json', value: chunkValue(draft, shared, context) } as const
    return { placing: draft.placing, event: undefined, content }
  })
}

/** The body of an answer that comes at once. */
export function modelBody(items: readonly ModelItem[], context: AnswerContext): JsonValue {
  const { drafts, shared } = draftsOf([chunk(...items.map(wholeContent))], context)
  const [only] = drafts
  return only?.type === 'chunk' ? chunkValue(only, shared, context) : {}
}

/** What an answer that comes at once can hold: it has no chunks. */
function wholeContent(item: ModelItem): ChunkContent {
  if (typeof item === 'string') return item
  switch (item.type) {
    case 'chunk':
    case 'data':
    case 'raw':
    case 'error':
    case 'streamed-call':
    case 'placed':
      throw ofStreams(item)
    case 'text':
    case 'thought':
    case 'call':
    case 'media':
    case 'part':
    case 'fields':
    case 'candidate':
    case 'finish':
    case 'usage':
    case 'blocked':
      return item
  }
}

type Draft = Chunk | { readonly type: 'event'; readonly event: DraftEvent }

function draftsOf(
  items: readonly ModelItem[],
  context: AnswerContext,
): { readonly drafts: readonly Draft[]; readonly shared: FieldsItem['value'] } {
  const drafts: Draft[] = []
  const late: (CandidateItem | FinishItem | UsageItem)[] = []
  let shared: FieldsItem['value'] = {}
  for (const { placing, item } of items.map(unplaced<ModelStretch>)) {
    if (typeof item === 'string') drafts.push(chunkOf([item], placing, context))
    else if (item.type === 'chunk') drafts.push(chunkOf(item.items, placing, context))
    else if (item.type === 'fields') shared = { ...shared, ...item.value }
    else if (item.type === 'candidate' || item.type === 'finish' || item.type === 'usage') late.push(item)
    else if (item.type === 'streamed-call') drafts.push(...callChunks(item, placing, context))
    else if (item.type === 'data' || item.type === 'raw')
      drafts.push({ type: 'event', event: draftOf(item, placing) })
    else if (item.type === 'error') drafts.push({ type: 'event', event: errorEvent(item, placing) })
    else drafts.push(chunkOf([item], placing, context))
  }
  finishDrafts(drafts, late, shared, context)
  return { drafts, shared }
}

function errorEvent({ error, framing }: ErrorItem, placing: Placing): DraftEvent {
  const value = errorValue(error)
  const content =
    framing === 'bare'
      ? ({ type: 'raw', bytes: spellPretty(value) } as const)
      : ({ type: 'json', value } as const)
  return { placing, event: undefined, content }
}

/** The last chunk gets what was said of the whole, and what every answer ends with. */
function finishDrafts(
  drafts: readonly Draft[],
  late: readonly (CandidateItem | FinishItem | UsageItem)[],
  shared: FieldsItem['value'],
  { ends, asked }: AnswerContext,
): void {
  const last = drafts.findLast(draft => draft.type === 'chunk')
  const [first] = late
  if (last === undefined) {
    if (first === undefined) return
    throw wrongUse(
      `${first.type}() has no chunk that it could be said of.`,
      'Say something before it, a text or a call.',
    )
  }
  for (const item of late) addTo(last, item, () => undefined)
  if (ends === 'cut' || drafts.at(-1) !== last) return
  last.finish ??= last.feedback === undefined ? finish('STOP') : undefined
  if ({ ...shared, ...last.fields }['usageMetadata'] !== undefined) return
  const said = drafts.flatMap(draft => (draft.type === 'chunk' ? draft.parts : []))
  const prompt = tokensOf(asked)
  const answer = said.length === 0 ? 0 : tokensOf(said)
  last.usage ??= {
    type: 'usage',
    value: {
      promptTokenCount: prompt,
      ...(answer === 0 ? {} : { candidatesTokenCount: answer }),
      totalTokenCount: prompt + answer,
    },
  }
}

/** A call in chunks: its name, its arguments piece by piece, and a bare one that closes it (js-genai, a recorded Vertex stream). */
function callChunks(item: StreamedCallItem, placing: Placing, context: AnswerContext): readonly Chunk[] {
  const { name, signature } = item
  const id = callIdOf(item, context)
  const opening = { name, ...(id === '' ? {} : { id }), willContinue: true }
  const pieces = item.pieces.flatMap(piece => {
    if (typeof piece !== 'string') return partialArgs(piece)
    throw wrongUse(
      `streamedCall('${name}') has the piece ${JSON.stringify(piece)}, which is of an interaction.`,
      `On a model write argument('$.name', …) for each argument.`,
    )
  })
  return [
    chunkOf([{ type: 'part', value: signed({ functionCall: opening }, signature) }], placing, context),
    ...[...pieces.map(partial => ({ partialArgs: [partial], willContinue: true })), {}].map(functionCall =>
      chunkOf([{ type: 'part', value: { functionCall } }], {}, context),
    ),
  ]
}

function partialArgs({ path, pieces }: ArgumentItem): readonly JsonObject[] {
  return pieces.map((piece, index) => ({
    jsonPath: path,
    ...pieceOf(piece),
    ...(index < pieces.length - 1 ? { willContinue: true } : {}),
  }))
}

function pieceOf(piece: JsonValue): JsonObject {
  if (typeof piece === 'number') return { numberValue: piece }
  if (typeof piece === 'boolean') return { boolValue: piece }
  return typeof piece === 'string' ? { stringValue: piece } : { nullValue: 'NULL_VALUE' }
}
