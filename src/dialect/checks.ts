/**
 * All checks of what a service would never send.
 *
 * Room: dialect.
 */
import type { Check } from './check.ts'
import { CALL_CHECKS } from './checks-calls.ts'
import { INTERACTION_CHECKS } from './checks-interactions.ts'
import { LIVE_CHECKS } from './checks-live.ts'
import { MODEL_CHECKS } from './checks-models.ts'

/** In the order of `docs/lint.md`. */
export const CHECKS: readonly Check[] = [
  ...MODEL_CHECKS,
  ...CALL_CHECKS,
  ...INTERACTION_CHECKS,
  ...LIVE_CHECKS,
]
