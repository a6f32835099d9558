/** Who says in which mode a cassette is used. */
import { describe, expect, it } from 'vitest'
import { decideMode, MODES } from '../../src/integrations/mode.ts'

describe('the mode', () => {
  it('is `once` where nobody says anything', () => {
    expect(decideMode(undefined, {})).toEqual({ mode: 'once', by: 'default' })
  })

  it.each(['1', 'true', 'yes', 'woodpecker'])('is `replay` where CI is %j', CI => {
    expect(decideMode(undefined, { CI })).toEqual({ mode: 'replay', by: 'CI' })
  })

  it.each(['', '0', 'false', 'False'])('is `once` where CI is %j: that is none', CI => {
    expect(decideMode(undefined, { CI }).mode).toBe('once')
  })

  it.each(MODES)('is what WIRETAPE_MODE says, in CI too: %s', mode => {
    expect(decideMode(undefined, { CI: '1', WIRETAPE_MODE: mode })).toEqual({ mode, by: 'WIRETAPE_MODE' })
  })

  it('is what the call says before all else, so that a cassette written by hand is safe', () => {
    expect(decideMode('replay', { WIRETAPE_MODE: 'all' })).toEqual({ mode: 'replay', by: 'option' })
    expect(decideMode('once', { CI: '1' })).toEqual({ mode: 'once', by: 'option' })
  })
})

describe('a word that is no mode', () => {
  it('is told, with the modes that there are and the nearest', () => {
    expect(() => decideMode(undefined, { WIRETAPE_MODE: 'new_episodes' }))
      .toThrowErrorMatchingInlineSnapshot(`
      [WiretapeError: WIRETAPE_MODE is "new_episodes", which is no mode.

      It is one of 'replay', 'once', 'new-episodes', 'all', 'passthrough'. Did you mean 'new-episodes'?]
    `)
    expect(() => decideMode('none', {})).toThrowErrorMatchingInlineSnapshot(`
      [WiretapeError: The option \`mode\` is "none", which is no mode.

      It is one of 'replay', 'once', 'new-episodes', 'all', 'passthrough'. Did you mean 'replay'?]
    `)
  })

  it('is wrong use, with what would be right as data', () => {
    expect(() => decideMode('al', {})).toThrowError(
      expect.objectContaining({
        code: 'WIRETAPE_USAGE',
        details: { option: 'mode', value: 'al', allowed: MODES },
      }),
    )
  })
})
