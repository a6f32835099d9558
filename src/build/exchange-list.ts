/**
 * The exchanges of a cassette while it is built: each is checked as it is added, and a request waits for its answer.
 *
 * Room: build.
 */
import type { Blob } from '../cassette/media.ts'
import type { CassetteDocument, Header } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { renderCassette } from '../cassette/render.ts'
import { wrongUse } from '../dialect/build-items.ts'
import { WiretapeError } from '../errors.ts'
import type { BuiltExchange } from './media.ts'

/** A request that has no answer yet. */
export interface Waiting {
  /** How messages name it. */
  readonly shown: string
}

/** Exchanges in order. All of it throws `WIRETAPE_USAGE` while a request waits, but for its answer. */
export interface ExchangeList {
  /** A request comes; gives the number of its exchange, from 1. */
  wait(request: Waiting): number
  /** The request that waits is answered. */
  answer(request: Waiting, compose: () => BuiltExchange): void
  /** Something that needs no answer. */
  add(compose: (number: number) => BuiltExchange): void
  /** The header, and the exchanges so far. */
  documents(): readonly CassetteDocument[]
  /** The files beside them. */
  blobs(): readonly Blob[]
}

/**
 * Starts a list.
 *
 * @param file - How messages name the cassette.
 */
export function createExchangeList(file: string, header: Header): ExchangeList {
  const built: BuiltExchange[] = []
  let waiting: Waiting | undefined
  check(file, 'The header', [{ type: 'header', header }])

  function checkAnswered(): void {
    if (waiting === undefined) return
    throw wrongUse(
      `Exchange ${built.length + 1}, ${waiting.shown}, has no answer.`,
      'Say it on what .on() or .interaction() gave: .answers(…), .streams(…), .fails(…) or .unanswered().',
    )
  }

  function push(one: BuiltExchange): void {
    const { exchange } = one
    check(file, `Exchange ${built.length + 1}`, [
      { type: 'header', header },
      { type: 'exchange', exchange },
    ])
    built.push(one)
    waiting = undefined
  }

  return {
    wait(request) {
      checkAnswered()
      waiting = request
      return built.length + 1
    },
    answer(request, compose) {
      if (waiting === request) return push(compose())
      throw wrongUse(
        `${request.shown} has its answer.`,
        'Call .on() or .interaction() again for the next request.',
      )
    },
    add(compose) {
      checkAnswered()
      push(compose(built.length + 1))
    },
    documents() {
      checkAnswered()
      const exchanges = built.map(({ exchange }) => ({ type: 'exchange', exchange }) as const)
      return [{ type: 'header', header }, ...exchanges]
    },
    blobs: () => built.flatMap(({ blobs }) => blobs),
  }
}

/** Throws for what the reader would refuse, while its author is still looking at it. */
function check(file: string, what: string, documents: readonly CassetteDocument[]): void {
  try {
    parseCassette(renderCassette(documents), { file })
  } catch (cause) {
    if (!WiretapeError.is(cause)) throw cause
    throw new WiretapeError(
      'WIRETAPE_USAGE',
      `${what} can't be in a cassette. As a file it would be refused:\n${cause.message}`,
      { cause },
    )
  }
}
