/**
 * A cassette, written by hand: what it is asked and what it answers, exchange by exchange.
 *
 * What is built is rendered as YAML and read again, so it is a cassette like any other: the same reader
 * has checked it, and the same engines play it.
 *
 * Room: build.
 */
import type { Cassette } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { renderCassette } from '../cassette/render.ts'
import {
  askedOf,
  DEFAULT_BASE,
  interactionOf,
  liveModelOf,
  liveUrlOf,
  requestLineOf,
} from '../dialect/build-address.ts'
import { createCallIds } from '../dialect/build-ids.ts'
import { wrongUse } from '../dialect/build-items.ts'
import type { LiveItem } from '../dialect/build-live.ts'
import { resolvedObject } from '../dialect/build-parts.ts'
import type { RequestOptions } from './answer.ts'
import {
  createAsked,
  INTERACTION_VOICE,
  MODEL_VOICE,
  type InteractionAsked,
  type ModelAsked,
  type Pending,
  type Place,
} from './asked.ts'
import { createExchangeList } from './exchange-list.ts'
import { composeRefusal, type Refusal } from './refusal.ts'
import { composeSession, type LiveOptions } from './socket.ts'

/** What the header of a cassette says, and where its requests go. */
export interface CassetteOptions {
  /** How messages name it: `a cassette that was built` unless given. */
  readonly file?: string | undefined
  /** Scheme, host and version of the service, on Vertex AI project and location too; the Developer API unless given. */
  readonly base?: string | undefined
  /** When it was recorded: RFC 3339, UTC. */
  readonly recorded?: string | undefined
  /** What wrote it, `hand` unless given. */
  readonly by?: string | undefined
  /** The client library and its version. */
  readonly client?: string | undefined
  /** Anything, for people. */
  readonly note?: string | undefined
}

/** A cassette that was built: its documents, and its blobs inside. */
export interface BuiltCassette extends Cassette {
  /** The bytes of its blobs by name. */
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

/** Puts a cassette together. Each exchange is added to it, and it is given back. */
export interface CassetteBuilder {
  /**
   * A request to a model, or to any other address; what it answers is said next.
   *
   * @param address - The name of a model; a route, such as `models/m:countTokens` or `GET files/f`; or a whole
   * URL. The method of a model that is named without one follows from the answer.
   * @param asks - A prompt, turns of a conversation, or the whole body. If it is left out, any body will do:
   * the exchange is matched by its route.
   */
  on(address: string, asks?: string | readonly object[] | object, options?: RequestOptions): ModelAsked
  /**
   * A request that creates an interaction; what it answers is said next.
   *
   * @param asks - The name of a model, or the whole body.
   * @param input - What it is asked: a text or steps. If it is left out, any body will do.
   */
  interaction(
    asks: string | object,
    input?: string | readonly object[],
    options?: RequestOptions,
  ): InteractionAsked
  /**
   * A Live session.
   *
   * @param setup - The name of a model: then its setup follows from what is said, and the client's messages
   * are compared by their kind only (`match: 'route'`). Or the fields of the whole setup, which then is compared.
   * @param says - The messages of both sides in order, the setup and what answers it aside; or a refusal.
   */
  live(setup: string | object, says: readonly LiveItem[] | Refusal, options?: LiveOptions): CassetteBuilder
  /**
   * The cassette, as if it had been read from a file.
   *
   * @throws `WIRETAPE_USAGE` if a request has no answer, or what was built is no cassette.
   */
  build(): BuiltCassette
  /** Its text, as it is saved. Blobs are not in it: see {@link BuiltCassette.blobs}. Throws as {@link CassetteBuilder.build}. */
  render(): string
}

/**
 * Starts a cassette.
 *
 * @example
 * ```ts
 * const tape = cassette()
 *   .on('a-model', 'Why is the sky blue?').streams(thought('Let me think.'), 'Light', ' is scattered.')
 *   .on('a-model', 'And at night?').fails(429)
 * ```
 */
export function cassette(options: CassetteOptions = {}): CassetteBuilder {
  const { file = 'a cassette that was built', base = DEFAULT_BASE, by = 'hand' } = options
  const { recorded, client, note } = options
  const list = createExchangeList(file, { cassette: 1, recorded, by, client, note })
  const ids = createCallIds()

  function placeOf(pending: Pending): Place {
    const number = list.wait(pending)
    return { number, base, ids, take: compose => (list.answer(pending, compose), builder) }
  }

  const builder: CassetteBuilder = {
    on(address, asks, more = {}) {
      requestLineOf(base, address, 'whole')
      const body = asks === undefined ? undefined : resolvedObject(askedOf(asks), ids, 'this request')
      const pending = { shown: address, address, body, named: undefined, more }
      return createAsked(MODEL_VOICE, pending, placeOf(pending))
    },
    interaction(asks, input, more = {}) {
      const named = resolvedObject(interactionOf(asks, input), ids, 'this request')
      const isOpen = typeof asks === 'string' && input === undefined
      const body = isOpen ? undefined : named
      const pending = { shown: 'an interaction', address: 'interactions', body, named, more }
      return createAsked(INTERACTION_VOICE, pending, placeOf(pending))
    },
    live(setup, says, more = {}) {
      const url = more.url ?? liveUrlOf(base)
      const asked = typeof setup === 'string' ? { model: liveModelOf(base, setup) } : { whole: setup }
      list.add(number =>
        'type' in says
          ? composeRefusal(url, says, more)
          : composeSession(number, { url, setup: asked, items: says, options: more, ids }),
      )
      return builder
    },
    render: () => renderCassette(list.documents()),
    build: () => ({
      ...parseCassette(renderCassette(list.documents()), { file }),
      blobs: new Map(list.blobs().map(({ name, bytes }) => [name, bytes])),
    }),
  }
  return Object.assign(builder, withoutRequest())
}

/** What answers a request does so on what `on()` gave. A program without types hears it. */
function withoutRequest(): object {
  const names = ['answers', 'streams', 'fails', 'unanswered'] as const
  return Object.fromEntries(
    names.map(name => [
      name,
      () => {
        throw wrongUse(
          `.${name}() without a request.`,
          `Say first what is asked: .on('a-model', 'a prompt').${name}(…).`,
        )
      },
    ]),
  )
}
