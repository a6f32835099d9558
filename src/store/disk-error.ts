/**
 * What goes wrong on a disk: told apart by the system's code, and as the error that stops a recording.
 *
 * Room: store.
 */
import { WiretapeError } from '../errors.ts'

/** True if this is a file system error with that code, e.g. `ENOENT`. */
export function isCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === code
}

/** Runs something that writes. @throws `WIRETAPE_WRITE` for whatever fails in it that has no code of its own. */
export function guarded<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (cause) {
    throw WiretapeError.is(cause) ? cause : writeFailed(path, cause)
  }
}

function writeFailed(path: string, cause: unknown): WiretapeError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new WiretapeError('WIRETAPE_WRITE', `The recording can't be written to ${path}: ${reason}`, {
    hint: 'Make room or give leave to write there. `wiretape recover` saves what was recorded until then.',
    details: { path },
    cause,
  })
}
