/**
 * What is said when the service can't be reached, or a body can't be read.
 *
 * Room: serve.
 */
import { WiretapeError } from '../errors.ts'

/** The service was not reached, or did not speak HTTP. */
export function unreachable(origin: string, cause: Error): WiretapeError {
  const { host } = new URL(origin)
  return new WiretapeError('WIRETAPE_UPSTREAM', `The service at ${host} did not answer: ${reasonOf(cause)}`, {
    hint: 'Check the network, the proxies in the environment, and --upstream.',
    details: { host, cause: reasonOf(cause) },
    cause,
  })
}

/** The answer's body can't be recorded. */
export function unreadable(origin: string, encoding: string | undefined): WiretapeError {
  return unreadableBody(`The answer of ${new URL(origin).host}`, 'remote', encoding)
}

/** The request's body can't be recorded. */
export function unreadableRequest(encoding: string | undefined): WiretapeError {
  return unreadableBody('A request', 'local', encoding)
}

/** Nothing can be looked over for secrets, or played back, that can't be decoded. */
function unreadableBody(what: string, side: 'local' | 'remote', encoding: string | undefined): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_PROTOCOL',
    `${what} has a content-encoding that can't be decoded${encoding === undefined ? '' : ` (${encoding})`}.`,
    {
      hint: 'gzip, deflate and br can be recorded. Without `accept-encoding` and `content-encoding` nothing is compressed.',
      details: { side, rule: 'RFC 9110 section 8.4', encoding },
    },
  )
}

/** The innermost cause that says something, with its code. */
function reasonOf(cause: Error): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return reasonOf(cause.errors[0])
  if (cause.message === '' && cause.cause instanceof Error) return reasonOf(cause.cause)
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  if (code === undefined || cause.message.includes(code)) return cause.message
  return `${cause.message} (${code})`
}
