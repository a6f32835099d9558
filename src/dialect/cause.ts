/**
 * Why two requests are not the same, as likely causes: a name for programs and words for people.
 *
 * What stands where in a request is known here; which recorded request is held against which received one is
 * not. Causes are told of folded bodies (`fold.ts`, `live-fold.ts`).
 *
 * Room: dialect.
 */
import type { JsonValue } from '../wire/json.ts'

/** Every cause there is. `docs/matching.md` has a row for each; a test keeps the two in step. Frozen once shipped. */
export const CAUSES = [
  // Of the operation.
  'model-changed',
  'stream-changed',
  'query-changed',
  'method-changed',
  'resource-changed',
  'operation-unknown',
  'nothing-recorded',
  // Of the body as a whole.
  'body-missing',
  'body-unexpected',
  'body-not-json',
  'body-changed',
  // Of its fields.
  'system-instruction-changed',
  'tool-missing',
  'tool-added',
  'tool-renamed',
  'tool-schema-changed',
  'tool-description-changed',
  'tool-changed',
  'tools-reordered',
  'tool-config-changed',
  'generation-config-changed',
  'response-schema-changed',
  'safety-settings-changed',
  'cached-content-changed',
  'previous-interaction-changed',
  'field-changed',
  // Of the conversation.
  'history-longer',
  'history-shorter',
  'role-changed',
  'user-text-changed',
  'model-text-changed',
  'thought-changed',
  'thought-signature-missing',
  'thought-signature-added',
  'thought-signature-changed',
  'function-call-changed',
  'function-response-missing',
  'function-response-added',
  'function-response-id-changed',
  'function-response-name-changed',
  'function-response-changed',
  'media-changed',
  'file-changed',
  'part-missing',
  'part-added',
  'part-changed',
  // Of what was asked before.
  'same-request-again',
  'out-of-order',
  'match-function-failed',
  // Of a socket.
  'message-kind-changed',
  'message-again',
  'message-unexpected',
  'message-missing',
  'session-handle-changed',
  'close-changed',
  'client-silent',
] as const

/** The name of a cause. */
export type CauseName = (typeof CAUSES)[number]

/** One likely cause. */
export interface Cause {
  readonly name: CauseName
  /** A clause, to come after a colon: `the system instruction changed`. It may quote the requests. */
  readonly words: string
  /** What to do about it, where that is not plain: a sentence. */
  readonly advice?: string | undefined
}

/** How much of a name or an id is quoted, in characters. */
const QUOTED = 60

/** A cause. */
export function cause(name: CauseName, words: string, advice?: string): Cause {
  return { name, words, advice }
}

/** `is missing`, `was added` or `changed`, by which side has the thing. */
export function changeOf(recorded: JsonValue | undefined, received: JsonValue | undefined): string {
  if (received === undefined) return 'is missing'
  return recorded === undefined ? 'was added' : 'changed'
}

/** A value from a request as it is quoted in words: one line, and short. */
export function quoted(value: JsonValue | undefined): string {
  if (value === undefined) return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const line = text.slice(0, QUOTED).replaceAll(/\s+/g, ' ')
  return text.length > QUOTED ? `${line}...` : line
}
