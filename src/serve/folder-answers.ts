/**
 * What the server of a replayed folder answers itself: verdicts, and refusals of what belongs to no cassette.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECRET_RULES } from '../dialect/secrets.ts'
import type { WiretapeError } from '../errors.ts'
import { createRedactor } from '../redact/redactor.ts'
import { type Place, pathOf, placeOf, type ReplayName } from './folder-place.ts'
import { noSuchCassette, OTHER_HOST, outside } from './folder-refusals.ts'
import { failureOf, type FolderFailure, type FolderRun } from './folder-run.ts'
import type { FolderRuns } from './folder-runs.ts'
import { isLocalHost } from './listener.ts'
import type { NamedCassettes } from './named-cassettes.ts'
import { refuse } from './refusal.ts'
import { verdictOf } from './verdict.ts'

/** What it answers about, and whom it tells. */
export interface FolderAnswersOptions {
  readonly cassettes: NamedCassettes
  readonly runs: FolderRuns
  /** How long a verdict waits for what is still open, in milliseconds. */
  readonly graceMs: number
  /** Told of each request for the service that belongs to no cassette. */
  readonly fail: (failure: FolderFailure) => void
}

/** Where a replay answers. */
export type ServicePlace = Extract<Place, { readonly type: 'service' }>

/** Decides who answers a request. */
export interface FolderAnswers {
  /** Where a replay is to answer it; undefined where that is done, with the response. */
  placeOf(request: IncomingMessage, response: () => ServerResponse): ServicePlace | undefined
}

/** Nothing was asked yet. */
export function createFolderAnswers(options: FolderAnswersOptions): FolderAnswers {
  const { cassettes, runs, graceMs } = options
  const redactor = createRedactor(SECRET_RULES)

  function find(url: string): Place {
    const has = (name: string): boolean => cassettes.has(name)
    const place = placeOf(url, has)
    if (place.type !== 'unknown') return place
    cassettes.refresh()
    return placeOf(url, has)
  }

  function refuseAs(response: ServerResponse, error: WiretapeError): void {
    options.fail(failureOf(error))
    refuse(response, error.code, error.message)
  }

  function answerVerdict(replay: ReplayName, method: string, response: ServerResponse): void {
    switch (method) {
      case 'GET':
        void verdict(runs.at(replay), graceMs).then(found => answerJson(response, 200, found))
        return
      case 'POST':
        runs.renew(replay.name)
        answerJson(response, 200, { name: replay.name, path: pathOf(replay.name) })
        return
    }
    response.setHeader('allow', 'GET, POST')
    answerJson(response, 405, { message: 'GET asks for the verdict, POST begins the replay anew.' })
  }

  return {
    placeOf(request, response) {
      const { url = '', method = '', headers } = request
      if (!isLocalHost(headers.host)) {
        refuse(response(), 'WIRETAPE_USAGE', OTHER_HOST)
        return undefined
      }
      const place = find(url)
      switch (place.type) {
        case 'service':
          return place
        case 'verdict':
          answerVerdict(place, method, response())
          return undefined
        case 'unknown': {
          const error = noSuchCassette(redactor.text(place.asked), cassettes)
          if (place.of === 'service') refuseAs(response(), error)
          else answerJson(response(), 404, { ok: false, ...failureOf(error) })
          return undefined
        }
        case 'outside':
          refuseAs(response(), outside(`${method} ${withoutQuery(redactor.url(url))}`, cassettes))
          return undefined
      }
    },
  }
}

async function verdict(run: FolderRun, graceMs: number): Promise<unknown> {
  await run.finish(graceMs)
  const report = await run.report()
  const error = verdictOf(report)
  return { ok: error === undefined, code: error?.code, message: error?.message ?? '', ...report }
}

function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
