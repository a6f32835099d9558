/**
 * The Interactions API and its siblings: snake_case JSON, named events, a mark at the end of a stream.
 *
 * Room: dialect.
 */
import { explainInteractions } from './cause-interactions.ts'
import type { Dialect } from './dialect.ts'
import { foldText } from './fold.ts'
import { spellCompact, spellPretty } from './spelling.ts'
import { foldCallIds } from './volatile.ts'

/** Interactions, and what js-genai's client of them also has: agents, webhooks, triggers, environments. */
const RESOURCES = /^(?:interactions|agents|webhooks|triggers|environments)(?=$|[/:])/

/**
 * Interactions.
 *
 * Events are compact on the wire (ai.google.dev). No raw unary body is public: those that others kept are
 * in two-blank lines with the service's own order of keys, as all bodies from the same front end are.
 */
export const interactions: Dialect = {
  name: 'interactions',
  eol: 'lf',
  owns: (_method, path) => RESOURCES.test(path),
  spell: spellPretty,
  spellEvent: spellCompact,
  // `interaction.completed` is not it: official clients read on until this (gaos `event-streams.ts`).
  isEndMark: event => event.data === '[DONE]',
  // Key case is never folded here: snake_case is the only one, and arguments are plain values.
  fold: body => foldCallIds(foldText(body)),
  explain: explainInteractions,
}
