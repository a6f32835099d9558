/**
 * What the server of a replayed folder answers itself: verdicts, the names that there are, and refusals of what belongs to no cassette.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECRET_RULES } from '../dialect/secrets.ts'
import type { WiretapeError } from '../errors.ts'
import { createRedactor } from '../redact/redactor.ts'
import { type Place, pathOf, placeOf, type ReplayName } from './folder-place.ts'
import { noSuchCassette, outside } from './folder-refusals.ts'
import { failureOf, type FolderFailure, type FolderRun } from './folder-run.ts'
import type { FolderRuns } from './folder-runs.ts'
import type { NamedCassettes } from './named-cassettes.ts'
import { readableByPage } from './own-pages.ts'
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

  function answerNames(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET')
      return notAllowed(response, 'GET', 'GET asks for the names of all cassettes.')
    cassettes.refresh()
    const names = cassettes.all()
    answerAs(request)(response, 200, { names, message: names.map(name => `${name}\n`).join('') })
  }

  function answerVerdict(replay: ReplayName, request: IncomingMessage, response: ServerResponse): void {
    switch (request.method) {
      case 'GET':
        void verdict(runs.at(replay), graceMs).then(told => answerAs(request)(response, 200, told))
        return
      case 'POST':
        runs.renew(replay.name)
        answerJson(response, 200, { name: replay.name, path: pathOf(replay.name) })
        return
    }
    notAllowed(response, 'GET, POST', 'GET asks for the verdict, POST begins the replay anew.')
  }

  return {
    placeOf(request, response) {
      const { url = '', method = '' } = request
      const place = find(url)
      switch (place.type) {
        case 'service':
          return place
        case 'verdict':
          answerVerdict(place, request, response())
          return undefined
        case 'names':
          answerNames(request, response())
          return undefined
        case 'unknown': {
          const error = noSuchCassette(redactor.url(place.asked), cassettes)
          if (place.of === 'service') refuseAs(response(), error)
          else answerAs(request)(response(), 404, { ok: false, ...failureOf(error) })
          return undefined
        }
        case 'outside':
          refuseAs(response(), outside(`${method} ${withoutQuery(redactor.url(url))}`, cassettes))
          return undefined
      }
    },
  }
}

/** What somebody is told who asks for a verdict, or for names. */
interface Told {
  /** All there is of it in text; of a verdict that is good, nothing. */
  readonly message: string
  readonly [fact: string]: unknown
}

async function verdict(run: FolderRun, graceMs: number): Promise<Told> {
  await run.finish(graceMs)
  const report = await run.report()
  const error = verdictOf(report)
  return { ok: error === undefined, code: error?.code, message: error?.message ?? '', ...report }
}

/** In JSON, unless only text is asked for. */
function answerAs({ headers }: IncomingMessage): typeof answerText {
  return headers.accept?.startsWith('text/plain') === true ? answerText : answerJson
}

function notAllowed(response: ServerResponse, allow: string, message: string): void {
  response.setHeader('allow', allow)
  answerJson(response, 405, { message })
}

function answerJson(response: ServerResponse, status: number, told: object): void {
  write(response, status, 'application/json', `${JSON.stringify(told, undefined, 2)}\n`)
}

/** For languages that come without a reader of JSON: the message alone, which is empty where all went well. */
function answerText(response: ServerResponse, status: number, { message }: Told): void {
  write(response, status, 'text/plain; charset=utf-8', message)
}

function write(response: ServerResponse, status: number, type: string, text: string): void {
  const body = Buffer.from(text)
  const headers = readableByPage(response.req, [['content-type', type]])
  response.writeHead(status, [...headers, ['content-length', String(body.length)]].flat())
  response.end(body)
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
