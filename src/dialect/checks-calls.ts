/**
 * Function calls whose arguments are streamed: what is opened is closed.
 *
 * Source: a recorded stream of Vertex, js-genai's
 * `should_stream_generate_content_enabled_streamFunctionCallArguments`; `types.ts`, `PartialArg`.
 *
 * Room: dialect.
 */
import type { JsonObject } from '../wire/json.ts'
import { answers, isModelStream, items, type Check, type Objection } from './check.ts'
import { shallow } from './live-fold.ts'
import { wordOf, type Trace } from './trace.ts'

interface Call {
  readonly number: number | undefined
  readonly call: JsonObject
}

function callsOf(trace: Trace): readonly Call[] {
  if (!isModelStream(trace) || trace.ended !== undefined) return []
  return answers(trace).flatMap(({ number, value }) =>
    items(value['candidates'])
      .flatMap(candidate => items(shallow(shallow(candidate)['content'])['parts']))
      .map(part => shallow(part)['functionCall'])
      .filter(call => call !== undefined)
      .map(call => ({ number, call: shallow(call) })),
  )
}

const callNotClosed: Check = {
  name: 'call-not-closed',
  objections(trace) {
    let open: Call | undefined
    const left: Call[] = []
    for (const item of callsOf(trace)) {
      // A name begins a call; one that was open is then never closed.
      if (item.call['name'] !== undefined && open !== undefined) left.push(open)
      open =
        item.call['willContinue'] === true
          ? item.call['name'] === undefined
            ? (open ?? item)
            : item
          : undefined
    }
    if (open !== undefined) left.push(open)
    return left.map(({ number }) => ({
      number,
      message: 'a `functionCall` with `willContinue`, and none without it comes after',
    }))
  },
}

const argumentNotClosed: Check = {
  name: 'argument-not-closed',
  objections(trace) {
    const open = new Map<string, number | undefined>()
    const left: Objection[] = []
    for (const { number, call } of callsOf(trace)) {
      for (const item of items(call['partialArgs'])) {
        const { jsonPath, willContinue } = shallow(item)
        if (willContinue === true) open.set(wordOf(jsonPath), number)
        else open.delete(wordOf(jsonPath))
      }
      if (call['willContinue'] === true) continue
      for (const [path, at] of open) {
        left.push({
          number: at,
          message: `the argument \`${path}\` has \`willContinue\`, and no piece without it`,
        })
      }
      open.clear()
    }
    return left
  },
}

/** Both. */
export const CALL_CHECKS: readonly Check[] = [callNotClosed, argumentNotClosed]
