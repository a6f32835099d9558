/** What `expires` in a header means: from which moment on a cassette is to be recorded again. */
import { describe, expect, it } from 'vitest'
import { expiryNote, isExpiry } from '../../src/cassette/expiry.ts'
import { parseCassette } from '../../src/cassette/parse.ts'

const at = (moment: string): number => Date.parse(moment)

/** What is said of a cassette whose headers expire then. */
function noteOf(expiries: readonly (string | undefined)[], now: string): string | undefined {
  const text = expiries
    .map(one => `cassette: 1\n${one === undefined ? '' : `expires: ${one}\n`}`)
    .join('---\n')
  return expiryNote(parseCassette(text, { file: 'a.cassette.yaml' }), at(now))
}

describe('a cassette that expires on a day', () => {
  it('is good to the end of that day in UTC', () => {
    expect(noteOf(['2027-01-31'], '2027-01-31T23:59:59.999Z')).toBeUndefined()
  })

  it('is told to be recorded again from then on', () => {
    expect(noteOf(['2027-01-31'], '2027-02-01T00:00:00Z')).toBe(
      'a.cassette.yaml expired (`expires: 2027-01-31`): record it again',
    )
  })
})

describe('a cassette that expires at a moment', () => {
  it('is good up to it, whatever the offset it is said in', () => {
    expect(noteOf(['2027-01-31T13:00:00+01:00'], '2027-01-31T11:59:59Z')).toBeUndefined()
    expect(noteOf(['2027-01-31T13:00:00+01:00'], '2027-01-31T12:00:00Z')).toContain('expired')
    expect(noteOf(['"2027-01-31T12:00:00Z"'], '2027-01-31T12:00:00Z')).toContain('expired')
  })
})

describe('a cassette of several days', () => {
  it('is told when the exchanges of one of them have expired', () => {
    expect(noteOf([undefined, '2027-01-31'], '2027-01-31T00:00:00Z')).toBeUndefined()
    expect(noteOf([undefined, '2027-01-31', '2028-01-31'], '2027-06-01T00:00:00Z')).toContain('2027-01-31')
  })
})

describe('a cassette that says nothing of it', () => {
  it('never expires', () => {
    expect(noteOf([undefined], '9999-12-31T00:00:00Z')).toBeUndefined()
  })
})

describe('a day that is in no calendar', () => {
  it.each(['2027-02-31', '2027-13-01', '2027-01-31T25:00:00Z', '2027-1-1', 'soon', ''])(
    '%j is no date',
    text => {
      expect(isExpiry(text)).toBe(false)
    },
  )
})
