/** What a person sees on stderr while a command runs. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startDisplay } from '../../src/cli/display.ts'
import { painter } from '../../src/cli/output.ts'

/** A stream that keeps what is written. */
function screen(isTTY: boolean) {
  const written: string[] = []
  return { isTTY, columns: 20, written, write: (text: string) => written.push(text) }
}

const CLEAR = '\r\u001B[K'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('on a terminal of its own', () => {
  it('keeps one line up to date below the lines that stay', () => {
    const stream = screen(true)
    const display = startDisplay(stream, 'own')
    let status = '0 open'
    display.show(() => status)
    status = '1 open'
    vi.advanceTimersByTime(100)
    display.print('first\n')
    display.stop()
    display.print('last\n')
    expect(stream.written).toEqual([
      `${CLEAR}0 open`,
      `${CLEAR}1 open`,
      `${CLEAR}first\n1 open`,
      CLEAR,
      'last\n',
    ])
  })

  it('writes nothing while nothing changes', () => {
    const stream = screen(true)
    startDisplay(stream, 'own').show(() => 'still')
    vi.advanceTimersByTime(10_000)
    expect(stream.written).toEqual([`${CLEAR}still`])
  })

  it('never wraps', () => {
    const stream = screen(true)
    startDisplay(stream, 'own').show(() => 'a status of more than twenty columns')
    expect(stream.written).toEqual([`${CLEAR}a status of more th`])
  })
})

describe.each([
  { where: 'in a pipe', isTTY: false, terminal: 'own' as const },
  { where: "on a terminal that the user's command writes to", isTTY: true, terminal: 'shared' as const },
])('$where', ({ isTTY, terminal }) => {
  it('prints plain lines only', () => {
    const stream = screen(isTTY)
    const display = startDisplay(stream, terminal)
    display.show(() => 'status')
    vi.advanceTimersByTime(1000)
    display.print('line\n')
    display.stop()
    expect(stream.written).toEqual(['line\n'])
  })
})

it("keeps what can wait out of what the user's command says", () => {
  const stream = screen(true)
  const display = startDisplay(stream, 'shared')
  display.log('an exchange\n')
  display.print('a failure\n')
  expect(stream.written).toEqual(['a failure\n'])
  display.stop()
  expect(stream.written).toEqual(['a failure\n', 'an exchange\n'])
})

describe('colour', () => {
  it.each([
    { isTTY: true, env: {}, is: '\u001B[31mx\u001B[39m' },
    { isTTY: true, env: { NO_COLOR: '' }, is: '\u001B[31mx\u001B[39m' },
    { isTTY: true, env: { NO_COLOR: '1' }, is: 'x' },
    { isTTY: false, env: {}, is: 'x' },
  ])('is used on a terminal only, and not with NO_COLOR: $isTTY $env', ({ isTTY, env, is }) => {
    expect(painter(screen(isTTY), env)('red', 'x')).toBe(is)
  })
})
