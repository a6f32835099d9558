/**
 * One chunk of a model's stream, written by hand: its parts, and what is said of them.
 *
 * Source: the raw streams that js-genai recorded. Gemini has `parts` before `role` and an `index`, Vertex AI
 * `role` first, no `index`, and a `createTime` before the `responseId`.
 *
 * Room: dialect.
 */
import type { JsonObject } from '../wire/json.ts'
import type { AnswerContext } from './build-draft.ts'
import { plainObject, type CallItem, type Saying, type StreamedCallItem } from './build-items.ts'
import { partOf } from './build-parts.ts'
import type { FieldsItem, Placing, UsageItem } from './build-stream.ts'

/** Why a candidate is finished. */
export interface FinishItem {
  /** Always `finish`. */
  readonly type: 'finish'
  /** E.g. `STOP`. */
  readonly reason: string
  /** Its `finishMessage`. */
  readonly message: string | undefined
}

/** Fields of the candidate. */
export interface CandidateItem {
  /** Always `candidate`. */
  readonly type: 'candidate'
  /** By name. */
  readonly value: JsonObject
}

/** A prompt that is not answered. */
export interface BlockedItem {
  /** Always `blocked`. */
  readonly type: 'blocked'
  /** The `promptFeedback`. */
  readonly value: JsonObject
}

/** What one chunk can hold. */
export type ChunkContent = Saying | FieldsItem | CandidateItem | FinishItem | UsageItem | BlockedItem

/** One chunk of a stream. */
export interface ChunkItem {
  /** Always `chunk`. */
  readonly type: 'chunk'
  /** In order. */
  readonly items: readonly ChunkContent[]
}

/** Why the answer is finished; `STOP` unless given. Holds for the last chunk, or for the {@link chunk} it is in. */
export function finish(reason: string, options: { readonly message?: string | undefined } = {}): FinishItem {
  return { type: 'finish', reason, message: options.message }
}

/** Fields of the candidate, such as `groundingMetadata` or `citationMetadata`: of the last chunk, or of the {@link chunk} it is in. */
export function candidate(value: object): CandidateItem {
  return { type: 'candidate', value: plainObject(value, 'candidate') }
}

/** A prompt that is blocked: no candidate, but a `promptFeedback` with this `blockReason`, e.g. `SAFETY`. */
export function blocked(blockReason: string, more: object = {}): BlockedItem {
  return { type: 'blocked', value: plainObject({ blockReason, ...more }, 'blocked') }
}

/**
 * Several parts, or parts and what is said of them, in one chunk. By itself each part of a stream is a chunk.
 *
 * @example
 * ```ts
 * chunk('Rivers', usage({ promptTokenCount: 7, totalTokenCount: 7 }))
 * ```
 */
export function chunk(...items: readonly ChunkContent[]): ChunkItem {
  return { type: 'chunk', items }
}

/** A chunk while it is put together. */
export interface Chunk {
  /** Always `chunk`. */
  readonly type: 'chunk'
  readonly placing: Placing
  readonly parts: JsonObject[]
  fields: Readonly<Record<string, unknown>>
  candidate: JsonObject
  finish: FinishItem | undefined
  usage: UsageItem | undefined
  feedback: JsonObject | undefined
}

/** The id of a call that a model makes. Vertex AI gives none. */
export function callIdOf(call: CallItem | StreamedCallItem, { service, ids }: AnswerContext): string {
  return service === 'vertex' ? (call.id ?? '') : ids.give(call, 'call')
}

/** Starts a chunk with what it holds. */
export function chunkOf(items: readonly ChunkContent[], placing: Placing, context: AnswerContext): Chunk {
  const made: Chunk = {
    type: 'chunk',
    placing,
    parts: [],
    fields: {},
    candidate: {},
    finish: undefined,
    usage: undefined,
    feedback: undefined,
  }
  const idOf = (call: CallItem) => callIdOf(call, context)
  for (const item of items) addTo(made, item, idOf)
  return made
}

/** Adds one thing to a chunk. */
export function addTo(made: Chunk, item: ChunkContent, idOf: (call: CallItem) => string | undefined): void {
  if (typeof item === 'string') {
    made.parts.push({ text: item })
    return
  }
  switch (item.type) {
    case 'fields':
      made.fields = { ...made.fields, ...item.value }
      return
    case 'candidate':
      made.candidate = { ...made.candidate, ...item.value }
      return
    case 'finish':
      made.finish = item
      return
    case 'usage':
      made.usage = item
      return
    case 'blocked':
      made.feedback = item.value
      return
    case 'text':
    case 'thought':
    case 'call':
    case 'media':
    case 'part':
      made.parts.push(partOf(item, idOf))
  }
}

/** A chunk as the service says it, with the fields that all of its stream share. */
export function chunkValue(made: Chunk, shared: FieldsItem['value'], context: AnswerContext): JsonObject {
  const vertex = context.service === 'vertex'
  const { parts, finish: finished, usage: used, feedback } = made
  const content = vertex ? { role: 'model', parts } : { parts, role: 'model' }
  const only = {
    ...(parts.length === 0 ? {} : { content }),
    ...(finished === undefined ? {} : { finishReason: finished.reason }),
    ...(vertex ? {} : { index: 0 }),
    ...(finished?.message === undefined ? {} : { finishMessage: finished.message }),
    ...made.candidate,
  }
  const speaks = parts.length > 0 || finished !== undefined || Object.keys(made.candidate).length > 0
  const { usageMetadata, modelVersion, createTime, responseId, ...rest } = {
    modelVersion: context.model,
    responseId: `response-${context.number}`,
    ...shared,
    ...made.fields,
  } as Readonly<Record<string, unknown>>
  return plainObject(
    {
      ...(speaks ? { candidates: [only] } : {}),
      ...(feedback === undefined ? {} : { promptFeedback: feedback }),
      usageMetadata: used === undefined ? usageMetadata : used.value,
      modelVersion,
      createTime,
      responseId,
      ...rest,
    },
    'the fields of this answer',
  )
}
