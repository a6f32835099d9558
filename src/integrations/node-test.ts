/**
 * A test of `node:test` with a cassette: `import { cassette } from 'wiretape/node-test'`.
 *
 * A function around the test's own, and not a hook: what a hook throws is lost where the test fails by itself.
 *
 * Room: integrations.
 */
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { WiretapeError } from '../errors.ts'
import { cassettePath } from './cassette-path.ts'
import { sharedName } from './shared-name.ts'
import type { Tape } from './tape.ts'
import { startTestTape, type TestCassetteOptions } from './test-end.ts'

/** A test that has a tape. */
export type TapeTest = (tape: Tape, t: TestContext) => void | Promise<void>

/** What `test(…)` of `node:test` takes. */
export type NodeTest = (t: TestContext) => Promise<void>

/**
 * Makes a test that uses a cassette named after it, in `__cassettes__` beside the test's file. It is recorded where it
 * is not there (but not in CI), else replayed, and the test fails if the app strays from the recording, even if it
 * swallowed that.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { cassette } from 'wiretape/node-test'
 *
 * test('says hello', cassette(async tape => {
 *   const ai = new GoogleGenAI(tape.client)
 *   const { text } = await ai.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Say hello.' })
 *   assert.match(text, /Hello/)
 * }))
 * ```
 */
export function cassette(run: TapeTest): NodeTest
/**
 * The same with a cassette that is named, or used in another way.
 *
 * @param file - The cassette's path, or options.
 */
export function cassette(file: string | TestCassetteOptions, run: TapeTest): NodeTest
export function cassette(
  ...words: readonly [TapeTest] | readonly [string | TestCassetteOptions, TapeTest]
): NodeTest {
  const [first, second] = words
  const caller = callerOf(new Error('Here.').stack ?? '')
  return typeof first === 'function'
    ? testWith({}, first, caller)
    : testWith(optionsOf(first), second, caller)
}

/** A line of a stack: a function in front or not, a path with brackets and blanks or not (`app/(auth)/a.test.js`). */
const FRAME = /^\s*at (?:async |.* \()??(file:\/\/.+|\/.+|[A-Za-z]:[/\\].+):\d+:\d+\)?$/

/**
 * The file of a stack that called this one. Node 20 does not say in which file a test is, and later ones name the
 * file that was run, which may have imported the tests.
 */
function callerOf(stack: string): string | undefined {
  const caller = stack
    .split('\n')
    .flatMap(line => FRAME.exec(line)?.[1] ?? [])
    .find(place => place !== import.meta.url)
  return caller?.startsWith('file:') === true ? fileURLToPath(caller) : caller
}

function optionsOf(file: string | TestCassetteOptions): TestCassetteOptions {
  return typeof file === 'string' ? { file } : file
}

function testWith(
  { file, ...options }: TestCassetteOptions,
  run: TapeTest | undefined,
  caller: string | undefined,
): NodeTest {
  if (run === undefined) throw withoutTest()
  return async t => {
    const started = await startTestTape(file ?? ownPath(t, caller), options)
    const own = await errorOf(() => unlessOver(run(started.tape, t), t.signal))
    const verdict = await errorOf(() => started.end(own === undefined ? 'passed' : 'failed'))
    if (own === undefined && verdict === undefined) return
    if (own === undefined) throw verdict?.error
    if (verdict !== undefined) tellToo(t, own.error, verdict.error)
    throw own.error
  }
}

function withoutTest(): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', '`cassette` was called without a test.', {
    hint: "The test is its last argument: cassette({ match: 'route' }, async tape => { … })",
  })
}

async function errorOf(run: () => void | Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    return { error }
  }
}

/**
 * Waits for a test, unless its runner waits no more: after a timeout a test that hangs would keep its tape open,
 * and that the process.
 */
async function unlessOver(running: void | Promise<void>, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const over = new Promise<never>((_, reject) => {
    const tell = (): void => reject(new Error('The test was over before it had ended.'))
    if (signal.aborted) tell()
    else signal.addEventListener('abort', tell, { signal: done.signal })
  })
  try {
    await Promise.race([running, over])
  } finally {
    done.abort()
  }
}

/**
 * The test shows its own error, with ours below it in the same message: of a cause, TAP shows nothing. Where it is no
 * error, or takes no other message, ours is a diagnostic.
 */
function tellToo(t: TestContext, own: unknown, verdict: unknown): void {
  const ours = verdict instanceof Error ? verdict.message : String(verdict)
  if (!(own instanceof Error) || !tellBelow(own, `${own.message}\n\n${ours}`)) t.diagnostic(ours)
}

/** The stack begins with the message as it was when the error was made; reporters show the one or the other. */
function tellBelow(own: Error, message: string): boolean {
  const { message: before, stack } = own
  const written = { value: message, configurable: true, writable: true }
  if (!Reflect.defineProperty(own, 'message', written)) return false
  if (stack?.includes(before) === true)
    Reflect.defineProperty(own, 'stack', { ...written, value: stack.replace(before, () => message) })
  return true
}

/** The tests of this process that use a cassette named after them: each runs once. */
const used = new Map<string, string>()

const NAMING = "cassette('cassettes/greeting.cassette.yaml', async tape => { … })"

function ownPath({ name, fullName = name }: TestNames, caller: string | undefined): string {
  if (caller !== undefined) {
    const path = cassettePath(caller, fullName.split(' > '))
    const other = used.get(path)
    if (other !== undefined) throw sharedName(path, [other, fullName], NAMING)
    used.set(path, fullName)
    return path
  }
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `It is not known in which file the test ${JSON.stringify(name)} is.`,
    {
      hint: `Name its cassette: ${NAMING}`,
    },
  )
}

/** Node has the full name from 20.16 and 22.3 on. */
interface TestNames {
  readonly name: string
  readonly fullName?: string
}
