/**
 * `wiretape/build`: what a program imports that writes cassettes by hand.
 *
 * It does no I/O. What it builds is a cassette as `parseCassette` gives one, with its blobs inside.
 *
 * Room: build.
 */
export { cassette, type BuiltCassette, type CassetteBuilder, type CassetteOptions } from './cassette.ts'
export type { ExchangeOptions, RequestOptions } from './answer.ts'
export type { Asked, FailOptions, InteractionAsked, ModelAsked } from './asked.ts'
export type { LiveOptions } from './socket.ts'
export { refused, type Refusal } from './refusal.ts'
export {
  argument,
  call,
  media,
  part,
  streamedCall,
  text,
  thought,
  type ArgumentItem,
  type CallItem,
  type CallOptions,
  type MediaItem,
  type PartItem,
  type Saying,
  type SignatureOptions,
  type StreamedCallItem,
  type TextItem,
  type ThoughtItem,
} from '../dialect/build-items.ts'
export { model, result, user, type FunctionResult, type Turn } from '../dialect/build-parts.ts'
export {
  blocked,
  candidate,
  chunk,
  finish,
  type BlockedItem,
  type CandidateItem,
  type ChunkContent,
  type ChunkItem,
  type FinishItem,
} from '../dialect/build-chunk.ts'
export type { ModelItem, ModelStretch } from '../dialect/build-models.ts'
export { error, type ErrorBody, type ErrorItem, type ErrorOptions } from '../dialect/build-errors.ts'
export {
  at,
  body,
  cuts,
  data,
  end,
  fields,
  head,
  hold,
  joined,
  raw,
  usage,
  type BodyItem,
  type DataItem,
  type EndItem,
  type FieldsItem,
  type HeadItem,
  type Placed,
  type Placing,
  type RawItem,
  type UsageItem,
} from '../dialect/build-stream.ts'
export {
  completed,
  created,
  done,
  events,
  statusUpdate,
  type EventsItem,
  type InteractionItem,
  type InteractionStretch,
  type MarkItem,
} from '../dialect/build-interaction-items.ts'
export {
  args,
  signature,
  step,
  type ArgumentsItem,
  type KeyOrder,
  type SignatureItem,
  type StepItem,
  type StepPiece,
  type StepStart,
} from '../dialect/build-steps.ts'
export {
  client,
  server,
  together,
  type CloseItem,
  type FrameOptions,
  type LiveItem,
  type LiveLine,
  type MessageItem,
} from '../dialect/build-live.ts'
export type { Manner } from '../dialect/build-address.ts'
