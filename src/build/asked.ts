/**
 * A request that waits for what it is answered with.
 *
 * Room: build.
 */
import { isStreamed, isVertex, modelIn, requestLineOf, type Manner } from '../dialect/build-address.ts'
import type { AnswerContext } from '../dialect/build-draft.ts'
import { errorBody, type ErrorOptions } from '../dialect/build-errors.ts'
import type { InteractionItem } from '../dialect/build-interaction-items.ts'
import type { CallIds } from '../dialect/build-ids.ts'
import { interactionBody, interactionEvents } from '../dialect/build-interactions.ts'
import { wrongUse } from '../dialect/build-items.ts'
import { modelBody, modelEvents, type ModelItem } from '../dialect/build-models.ts'
import type { BodyItem, EndItem, HeadItem } from '../dialect/build-stream.ts'
import type { RequestLine } from '../dialect/dialect.ts'
import { operationOf } from '../dialect/operation.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { JsonObject } from '../wire/json.ts'
import {
  composeAnswer,
  isOf,
  withoutEnds,
  type AnswerDraft,
  type Asking,
  type Ends,
  type RequestOptions,
} from './answer.ts'
import type { CassetteBuilder } from './cassette.ts'
import type { BuiltExchange } from './media.ts'

/** How an error is answered with. */
export interface FailOptions extends ErrorOptions {
  /** What was asked for, where the address does not say; `whole` unless given. */
  readonly asked?: Manner | undefined
  /** How the head differs from the usual: its moment, headers such as `retry-after`, the reason phrase. */
  readonly head?: Omit<HeadItem, 'type'> | undefined
  /** When the exchange ended. */
  readonly end?: Omit<EndItem, 'type'> | undefined
}

/** What a request can be answered with; `Item` is what the API can say. */
export interface Asked<Item> {
  /** With one body: parts, or a `body()` as it is. */
  answers(...items: readonly (Item | BodyItem | HeadItem | EndItem)[]): CassetteBuilder
  /** With a stream. */
  streams(...items: readonly (Item | HeadItem | EndItem)[]): CassetteBuilder
  /** With an error, `fails(429)`; its message and status are the usual ones of the code unless given. */
  fails(code: number, message?: string, options?: FailOptions): CassetteBuilder
  /** With nothing: the service is not reached, unless `how` says otherwise. */
  unanswered(how?: EndKind, options?: { readonly asked?: Manner | undefined }): CassetteBuilder
}

/** A request to a model. */
export type ModelAsked = Asked<ModelItem>

/** A request that creates an interaction. */
export type InteractionAsked = Asked<InteractionItem>

/** A request, before it is known how it is answered. */
export interface Pending {
  /** How messages name it. */
  readonly shown: string
  readonly address: string
  /** Undefined: any will do. */
  readonly body: JsonObject | undefined
  /** What is known of it nevertheless, for the answer to name. */
  readonly named: JsonObject | undefined
  readonly more: RequestOptions
}

/** Where a request stands in its cassette. */
export interface Place {
  /** From 1. */
  readonly number: number
  readonly base: string
  readonly ids: CallIds
  /** Adds the exchange; throws `WIRETAPE_USAGE` where the request has its answer. */
  readonly take: (exchange: () => BuiltExchange) => CassetteBuilder
}

/** How an API spells what is said. */
interface Voice<Item> {
  readonly body: (items: readonly Item[], context: AnswerContext) => ReturnType<typeof modelBody>
  readonly events: (items: readonly Item[], context: AnswerContext) => ReturnType<typeof modelEvents>
  /** What the body of a request for a stream has in addition. */
  readonly streaming: JsonObject
  /** The type of an error whose request was for a stream. */
  readonly streamedError: string
}

const JSON_TYPE = 'application/json; charset=UTF-8'

/** Models: a stream is asked for by its address, and its errors keep its type. */
export const MODEL_VOICE: Voice<ModelItem> = {
  body: modelBody,
  events: modelEvents,
  streaming: {},
  streamedError: 'text/event-stream',
}

/** Interactions: a stream is asked for in the body. */
export const INTERACTION_VOICE: Voice<InteractionItem> = {
  body: interactionBody,
  events: interactionEvents,
  streaming: { stream: true },
  streamedError: JSON_TYPE,
}

/** A request before its answer, as what the answer is said on. */
export function createAsked<Item>(voice: Voice<Item>, pending: Pending, place: Place): Asked<Item> {
  const { take } = place
  const compose = (manner: Manner, ends: Ends, draft: (made: Made) => AnswerDraft): BuiltExchange => {
    const made = madeFor({ voice, pending, place, manner, ends })
    const { context, line, asking } = made
    const { dialect } = operationOf(line)
    return composeAnswer({ number: context.number, asking, ends, dialect, answer: draft(made) })
  }

  return {
    answers: (...items) =>
      take(() => {
        const { said, ...ends } = withoutEnds<Item | BodyItem>(items)
        const { body, items: parts } = withoutBody<Item>(said)
        if (said.length === 0) throw empty('answers')
        return compose('whole', ends, ({ context }) =>
          body === undefined ? { type: 'value', value: voice.body(parts, context) } : { type: 'body', body },
        )
      }),
    streams: (...items) =>
      take(() => {
        const { said, ...ends } = withoutEnds<Item>(items)
        if (said.length === 0 && ends.end?.how === undefined) throw empty('streams')
        return compose('streamed', ends, ({ context }) => ({
          type: 'stream',
          events: voice.events(said, context),
        }))
      }),
    fails: (code, message, { asked = 'whole', head, end, ...options } = {}) =>
      take(() => {
        const error = errorBody(code, message, options)
        const ends = {
          head: head && ({ ...head, type: 'head' } as const),
          end: end && ({ ...end, type: 'end' } as const),
        }
        return compose(asked, ends, ({ line }) => ({
          type: 'error',
          error,
          contentType: isStreamed(line.url) ? voice.streamedError : JSON_TYPE,
        }))
      }),
    unanswered: (how = 'upstream-error', { asked = 'whole' } = {}) =>
      take(() => compose(asked, { head: undefined, end: undefined }, () => ({ type: 'none', how }))),
  }
}

/** What an answer is made for. */
interface MadeFor {
  readonly voice: Pick<Voice<unknown>, 'streaming'>
  readonly pending: Pending
  readonly place: Place
  readonly manner: Manner
  readonly ends: Ends
}

/** What the draft of an answer may go by. */
interface Made {
  readonly asking: Asking
  readonly context: AnswerContext
  readonly line: RequestLine
}

function madeFor({ voice, pending, place, manner, ends }: MadeFor): Made {
  const { number, base, ids } = place
  const { headers = {}, ...more } = pending.more
  const line = requestLineOf(base, pending.address, manner)
  const streaming = manner === 'streamed' ? voice.streaming : {}
  const body = pending.body === undefined ? undefined : { ...pending.body, ...streaming }
  const context: AnswerContext = {
    model: modelIn(line.url),
    service: isVertex(line.url) ? 'vertex' : 'developer',
    number,
    asked: body ?? pending.named,
    ends: ends.end?.how === undefined ? 'well' : 'cut',
    ids,
  }
  return { asking: { ...more, line, headers, body }, context, line }
}

/** What an API says, or a body as it is, which is a whole answer by itself. */
function withoutBody<Item>(said: readonly (Item | BodyItem)[]): {
  readonly body: BodyItem | undefined
  readonly items: readonly Item[]
} {
  const items: Item[] = []
  let body: BodyItem | undefined
  for (const item of said) {
    if (isBody(item)) body = item
    else items.push(item)
  }
  if (body === undefined || said.length === 1) return { body, items }
  throw wrongUse('A body() stands beside something else.', 'It is the whole answer: leave the rest away.')
}

function isBody(item: unknown): item is BodyItem {
  return isOf(item, 'body')
}

function empty(method: 'answers' | 'streams'): Error {
  return wrongUse(
    `.${method}() says nothing.`,
    "Give it what is said, a text such as 'Hello.', or body('') for an answer that is empty.",
  )
}
