/**
 * What a payload says to a person: text, thoughts, calls, results, signatures, sound, and how it goes on.
 *
 * Where these stand in a payload is known here and nowhere else; how they look on a screen is not.
 *
 * Room: dialect.
 */
import type { JsonValue } from '../wire/json.ts'
import { digestAnswer, digestRequest } from './digest-models.ts'
import { digestInteractionAnswer, digestInteractionRequest } from './digest-interactions.ts'
import { digestLiveClient, digestLiveServer } from './digest-live.ts'
import { live } from './live.ts'
import { operationOf } from './operation.ts'
import type { Weigh } from './trace.ts'

/** One thing that a payload says. */
export type DigestItem = DigestBody & {
  /** Which of several things said side by side it belongs to: a step's index, a candidate's. */
  readonly of?: number | undefined
  /** It repeats what was said in an earlier exchange: a history that is sent along. */
  readonly earlier?: true | undefined
}

/** What an item is, without its place. */
export type DigestBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  /** What was heard, as text: what the client said, or what the service did. */
  | { readonly kind: 'transcript'; readonly whose: 'client' | 'server'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly name: string | undefined
      readonly id: string | undefined
      /** Undefined where the arguments come in pieces. */
      readonly args: JsonValue | undefined
    }
  /** A piece of a call's arguments: of the value at `path`, or of their JSON text. */
  | { readonly kind: 'arguments'; readonly path: string | undefined; readonly text: string }
  | {
      readonly kind: 'result'
      readonly name: string | undefined
      readonly id: string | undefined
      readonly value: JsonValue
    }
  | { readonly kind: 'signature'; readonly signature: string }
  /** Sound, a picture: `bytes` of it, and how long it is in `ms` where that can be told. */
  | {
      readonly kind: 'media'
      readonly mimeType: string
      readonly bytes: number
      readonly ms: number | undefined
    }
  | { readonly kind: 'usage'; readonly text: string; readonly value: JsonValue }
  /** What the request sets: model, tools, instructions. */
  | { readonly kind: 'setting'; readonly name: string; readonly text: string }
  /** Something that happens at this point. `quiet`: only what surrounds it matters. */
  | { readonly kind: 'mark'; readonly text: string; readonly quiet?: true | undefined }
  /** Why a model stopped. */
  | { readonly kind: 'finish'; readonly reason: string; readonly well: boolean }
  | { readonly kind: 'error'; readonly text: string }
  /** Whatever has no kind of its own. */
  | { readonly kind: 'other'; readonly name: string; readonly value: JsonValue }

/** Reads the payloads of one API. Never fails: what it does not know is `other`. */
export interface Digester {
  /** A request's body, or a client's message. */
  client(value: JsonValue, weigh: Weigh): readonly DigestItem[]
  /** A body or an event of an answer, or a server's message. */
  server(value: JsonValue, weigh: Weigh): readonly DigestItem[]
}

const unknownDigester: Digester = {
  client: value => [{ kind: 'other', name: '', value }],
  server: value => [{ kind: 'other', name: '', value }],
}

const DIGESTERS: Readonly<Record<string, Digester>> = {
  'generate-content': { client: digestRequest, server: digestAnswer },
  interactions: { client: digestInteractionRequest, server: digestInteractionAnswer },
  live: { client: digestLiveClient, server: digestLiveServer },
}

/** The digester of a dialect, by the name that a cassette gives. */
export function digesterNamed(dialect: string): Digester {
  return DIGESTERS[dialect] ?? unknownDigester
}

/** What an exchange asks for, for a heading: `POST models/m:generateContent`. */
export function titleOf(dialect: string, method: string, url: string): string {
  return dialect === live.name ? live.operation(url) : operationOf({ method, url }).key
}
