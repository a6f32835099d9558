/** A reason fits into its frame, and stays text. */
import { describe, expect, it } from 'vitest'
import { fittingReason, MAX_REASON_BYTES } from '../../src/wire/close.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

describe('the reason of a close', () => {
  it.each(['', 'a'.repeat(123), `${'é'.repeat(61)}a`, '🌊'.repeat(30)])(
    'stays as it is where it fits: %s',
    reason => {
      expect(fittingReason(reason, '...')).toBe(reason)
    },
  )

  it.each([
    ['a'.repeat(124), '', 'a'.repeat(123)],
    ['é'.repeat(62), '', 'é'.repeat(61)],
    ['🌊'.repeat(31), '', '🌊'.repeat(30)],
    ['a'.repeat(124), '...', `${'a'.repeat(120)}...`],
    ['🌊'.repeat(31), '…', `${'🌊'.repeat(30)}…`],
  ])('is cut between characters, with what stands for the rest: %s%s', (reason, ending, fitting) => {
    expect(fittingReason(reason, ending)).toBe(fitting)
    expect(encodeUtf8(fitting).length).toBeLessThanOrEqual(MAX_REASON_BYTES)
  })
})
