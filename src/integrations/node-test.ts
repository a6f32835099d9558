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

/**
 * The file of a stack that called this one. Node 20 does not say in which file a test is, and later ones name the
 * file that was run, which may have imported the tests.
 */
function callerOf(stack: string): string | undefined {
  const places = [...stack.matchAll(/(file:\/\/\/?[^\s()]+?|\/[^()\n]+?|[A-Za-z]:\\[^()\n]+?):\d+:\d+\)?$/gm)]
  const caller = places.map(([, place = '']) => place).find(place => place !== import.meta.url)
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
    const own = await errorOf(() => run(started.tape, t))
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

/** The test shows its own error. Ours is below it as its cause, which it often is; where it has one, as a diagnostic. */
function tellToo(t: TestContext, own: unknown, verdict: unknown): void {
  if (own instanceof Error && own.cause === undefined && Object.isExtensible(own)) {
    Object.defineProperty(own, 'cause', { value: verdict, configurable: true, writable: true })
  } else t.diagnostic(verdict instanceof Error ? verdict.message : String(verdict))
}

function ownPath({ name, fullName = name }: TestNames, caller: string | undefined): string {
  if (caller !== undefined) return cassettePath(caller, fullName.split(' > '))
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `It is not known in which file the test ${JSON.stringify(name)} is.`,
    {
      hint: "Name its cassette: cassette('cassettes/greeting.cassette.yaml', async tape => { … })",
    },
  )
}

/** Node has the full name from 20.16 and 22.3 on. */
interface TestNames {
  readonly name: string
  readonly fullName?: string
}
