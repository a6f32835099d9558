/** Placeholders, and text without their numbers. */
import { describe, expect, it } from 'vitest'
import { createPlaceholders, unnumbered } from '../../src/redact/placeholders.ts'

describe('a placeholder', () => {
  it('names the kind and a number of its own', () => {
    const placeholders = createPlaceholders()
    expect(placeholders.of('a', 'api-key')).toBe('redacted-api-key-1')
    expect(placeholders.of('b', 'api-key')).toBe('redacted-api-key-2')
    expect(placeholders.of('c', 'token')).toBe('redacted-token-1')
  })

  it('is the same for the same secret, whatever kind it is taken for later', () => {
    const placeholders = createPlaceholders()
    placeholders.of('a', 'api-key')
    expect(placeholders.of('a', 'token')).toBe('redacted-api-key-1')
  })

  it('stands for itself, and takes its number', () => {
    const placeholders = createPlaceholders()
    expect(placeholders.of('redacted-token-4', 'api-key')).toBe('redacted-token-4')
    expect(placeholders.of('redacted-token-2', 'api-key')).toBe('redacted-token-2')
    expect(placeholders.of('a', 'token')).toBe('redacted-token-5')
  })
})

describe('text without numbers', () => {
  it.each([
    ['x redacted-api-key-12, redacted-token-3', 'x redacted-api-key, redacted-token'],
    ['redacted-private-key-id-1"', 'redacted-private-key-id"'],
    ['redacted-', 'redacted-'],
    ['unredacted-token-1', 'unredacted-token-1'],
    ['nothing of it', 'nothing of it'],
  ])('of %s is %s', (text, expected) => {
    expect(unnumbered(text)).toBe(expected)
  })
})
