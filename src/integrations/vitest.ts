/**
 * Vitest's `test` with a cassette in it: `import { test } from 'wiretape/vitest'`.
 *
 * Room: integrations.
 */
import { test as base, type TestAPI } from 'vitest'
import type { WiretapeError } from '../errors.ts'
import { cassettePath } from './cassette-path.ts'
import { sharedName } from './shared-name.ts'
import type { Tape } from './tape.ts'
import { startTestTape, type TestCassetteOptions, type TestOutcome } from './test-end.ts'

/** What `test` gives a test that asks for it. */
export interface CassetteFixtures {
  /**
   * How the cassette is used. In a suite: `test.override({ cassette: { match: 'route' } })`, on top of what
   * {@link testWith} says of the whole file.
   */
  cassette: TestCassetteOptions
  /** The cassette in use. When the test is over it fails it, if the app strayed from the recording. */
  tape: Tape
}

/** How long a recording may take to become a cassette, in milliseconds: it may be an hour of sound. */
const END_MS = 60_000

/** The part of a Vitest task that is looked at. */
interface Task {
  readonly id: string
  readonly name: string
  readonly suite?: Named | undefined
  readonly file: { readonly filepath: string }
  readonly result?: { readonly state: string } | undefined
}

interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

/**
 * Vitest's own `test`, with a fixture: a test that asks for `tape` has a cassette named after it, in `__cassettes__`
 * beside the test's file. It is recorded where it is not there (but not in CI), else replayed, and checked at the end.
 *
 * @example
 * ```ts
 * import { expect } from 'vitest'
 * import { test } from 'wiretape/vitest'
 *
 * test('says hello', async ({ tape }) => {
 *   const ai = new GoogleGenAI(tape.client)
 *   const { text } = await ai.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Say hello.' })
 *   expect(text).toContain('Hello')
 * })
 * ```
 */
export const test: TestAPI<CassetteFixtures> = testWith({})

/**
 * The same `test` for a whole file, with cassettes that are used in another way.
 *
 * @example
 * ```ts
 * const test = testWith({ ignore: ['/contents/0/parts/0/text'] })
 * ```
 */
export function testWith(options: TestCassetteOptions): TestAPI<CassetteFixtures> {
  return base.extend<CassetteFixtures>({
    cassette: options,
    tape: async ({ cassette, task, onTestFinished }, use) => {
      const { file, ...others } = { ...options, ...cassette }
      const started = await startTestTape(file ?? ownPath(task), others)
      // Behind whatever else is cleaned up, and told once: what a fixture throws here Vitest 4 tells twice.
      onTestFinished(() => started.end(outcomeOf(task)), END_MS)
      await use(started.tape)
    },
  })
}

/** The tests that use a cassette named after them, by the run of their file. */
const used = new WeakMap<object, Map<string, Task>>()

function ownPath(task: Task): string {
  const path = cassettePath(task.file.filepath, namesOf(task))
  const users = used.get(task.file) ?? new Map<string, Task>()
  used.set(task.file, users)
  const other = users.get(path)
  if (other !== undefined && other.id !== task.id) throw shared(path, other, task)
  users.set(path, task)
  return path
}

function namesOf(task: Named): readonly string[] {
  return [...(task.suite === undefined ? [] : namesOf(task.suite)), task.name]
}

/** By itself: what the tape has to say comes after this. */
function outcomeOf({ result }: Task): TestOutcome {
  if (result?.state === 'fail') return 'failed'
  return result?.state === 'skip' ? 'skipped' : 'passed'
}

function shared(path: string, ...tasks: readonly Task[]): WiretapeError {
  const names = tasks.map(task => namesOf(task).join(' > '))
  return sharedName(path, names, '`testWith({ file })`.')
}
