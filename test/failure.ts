/** What something fails with. */
import { WiretapeError } from '../src/errors.ts'

/** Our error that this ends in; throws where it ends in another, or well. */
export async function failureOf(run: () => Promise<unknown>): Promise<WiretapeError> {
  try {
    await run()
  } catch (error) {
    if (WiretapeError.is(error)) return error
    throw error
  }
  throw new Error('it did not fail')
}
