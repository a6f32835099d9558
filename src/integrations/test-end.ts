/**
 * What becomes of a tape when its test is over, in whichever runner.
 *
 * A first recording is kept even where the test fails, as VCR keeps it: an assertion about an answer can only be written
 * once the answer stays the same. But not where the service refused something or was cut off, by a timeout: that is what
 * the test then failed of, and would for ever. A re-recording by a test that fails is forgotten: the old cassette is
 * worth more.
 *
 * Room: integrations.
 */
import { existsSync } from 'node:fs'
import { nothingCame } from './nothing-came.ts'
import type { Tape, UseCassetteOptions } from './tape.ts'
import { useCassette, type MadeCassette } from './use-cassette.ts'
import { warnOnce } from './warning.ts'

/** What a test of a runner may say of its cassette. */
export interface TestCassetteOptions extends UseCassetteOptions {
  /** The cassette's path, or one that was made in memory; unless given it is named after the test, beside its file. */
  readonly file?: string | MadeCassette | undefined
}

/** How a test ended by itself. */
export type TestOutcome = 'passed' | 'failed' | 'skipped'

/** A tape whose test is running. */
export interface TestTape {
  readonly tape: Tape
  /** Throws what the test then fails with, or fails with too. */
  end(outcome: TestOutcome): Promise<void>
}

/** Starts the tape of a test. Throws what `useCassette` throws. */
export async function startTestTape(
  file: string | MadeCassette,
  options: UseCassetteOptions,
): Promise<TestTape> {
  const { checkTestOptions } = await import('./option-names.ts')
  checkTestOptions(options)
  const existed = typeof file !== 'string' || existsSync(file)
  const tape = await useCassette(file, options)

  /** Only what has a path is ever recorded. */
  async function endFailed(): Promise<void> {
    const name = typeof file === 'string' ? file : 'the cassette'
    const { recorded, unanswered } = tape.report()
    if (recorded > 0 && !existed && unanswered === 0) {
      await tape.close()
      warnOnce(`${name} was recorded by a test that failed: remove it to have it recorded again`)
      return
    }
    await tape.discard()
    if (recorded > 0 && !existed)
      warnOnce(`${name} was not written: the test failed, and ${counted(unanswered, recorded)}`)
    else if (recorded === 0 && isWholeRecording(tape)) warnOnce(nothingCame(name, tape.mode).message)
    else if (recorded > 0) warnOnce(`${name} stays as it was: the test that recorded it again has failed`)
  }

  return {
    tape,
    async end(outcome) {
      if (outcome === 'skipped') await tape.discard()
      else if (outcome === 'failed' && tape.isRecording) await endFailed()
      // A test that has closed it by hand knows how it ended.
      else await tape[Symbol.asyncDispose]()
    },
  }
}

/** Whatever it asks is recorded: where nothing was, nothing was asked, and that may be why the test has failed. */
function isWholeRecording({ mode }: Tape): boolean {
  return mode === 'once' || mode === 'all'
}

function counted(unanswered: number, recorded: number): string {
  const requests = recorded === 1 ? 'its request' : `${unanswered} of its ${recorded} requests`
  return `the service refused ${requests} or was cut off in its answer`
}
