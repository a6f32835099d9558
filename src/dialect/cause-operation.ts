/**
 * Why two operations differ: another model, a stream instead of a whole answer, another resource.
 *
 * Room: dialect.
 */
import { cause, type Cause, quoted } from './cause.ts'

/** `POST models/m:generateContent?alt=sse` in pieces. */
interface Pieces {
  readonly method: string
  readonly path: string
  /** What stands before the model's name, e.g. `models/`. */
  readonly base: string
  readonly model: string
  readonly verb: string
  readonly query: string
}

/** The way to a model: one of the API, a tuned one, a deployed one. */
const MODEL = /^(.*\b(?:models|tunedModels|endpoints)\/)([^/:]+)(:\w+)?$/

/** What asks for a stream. */
const STREAM = /^:stream/i

/**
 * Why these operations are not the same, in one cause; `operation-unknown` where they have nothing in common.
 * `near`: a request may be meant for it, and its body is worth a look.
 */
export function explainOperation(
  recorded: string,
  received: string,
): { readonly cause: Cause; readonly near: boolean } {
  const [one, other] = [piecesOf(recorded), piecesOf(received)]
  if (one.method === other.method && one.base === other.base && one.base !== '') {
    if (one.verb === other.verb && one.query === other.query) {
      return near(
        cause('model-changed', `the model is ${quoted(other.model)}, recorded with ${quoted(one.model)}`),
      )
    }
    if (one.model === other.model && STREAM.test(one.verb) !== STREAM.test(other.verb)) {
      return near(
        cause(
          'stream-changed',
          STREAM.test(other.verb)
            ? 'a stream is asked for, recorded is a whole answer'
            : 'a whole answer is asked for, recorded is a stream',
        ),
      )
    }
  }
  if (one.path === other.path && one.method === other.method) {
    const [is, was] = [other.query, one.query].map(query => (query === '' ? 'no query' : quoted(query)))
    return near(cause('query-changed', `the address has ${is}, recorded with ${was}`))
  }
  if (one.path === other.path) {
    return near(cause('method-changed', `the method is ${other.method}, recorded with ${one.method}`))
  }
  const [resource, ...more] = differing(one.path, other.path)
  const sameVerb = resource !== undefined && verbOf(resource.one) === verbOf(resource.other)
  if (one.method === other.method && sameVerb && more.length === 0) {
    return near(
      cause(
        'resource-changed',
        `the resource is ${quoted(resource.other)}, recorded with ${quoted(resource.one)}`,
      ),
    )
  }
  return { cause: cause('operation-unknown', 'no such operation is recorded'), near: false }
}

function near(what: Cause): { readonly cause: Cause; readonly near: boolean } {
  return { cause: what, near: true }
}

function piecesOf(key: string): Pieces {
  const [, method = '', path = '', query = ''] = /^(\S+) ([^?]*)(\?.*)?$/s.exec(key) ?? []
  const [, base = '', model = '', verb = ''] = MODEL.exec(path) ?? []
  return { method, path, base, model, verb, query }
}

/** `:cancel` of `abc:cancel`. */
function verbOf(segment: string): string {
  return /:\w+$/.exec(segment)?.[0] ?? ''
}

/** The segments in which two paths of one shape differ, the first apart: that says what kind of thing is meant. */
function differing(one: string, other: string): readonly { readonly one: string; readonly other: string }[] {
  const [left, right] = [one.split('/'), other.split('/')]
  if (left.length !== right.length || left[0] !== right[0])
    return [
      { one, other },
      { one, other },
    ]
  return left.flatMap((segment, index) =>
    segment === right[index] ? [] : [{ one: segment, other: right[index] ?? '' }],
  )
}
