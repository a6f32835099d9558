/**
 * The server of `wiretape replay`, for some cassettes as if they were one, or for a folder of them.
 *
 * Room: cli.
 */
import { WiretapeError } from '../errors.ts'
import type { ServiceSide } from '../dialect/hosts.ts'
import { isFolder } from '../store/find.ts'
import { type Addresses, folderEnvironment, replayEnvironment } from './environment.ts'
import { folderReport } from './folder-report.ts'
import type { ReplayInvocation } from './invocation.ts'
import type { Line } from './json-lines.ts'
import type { Paint } from './output.ts'
import { folderPasteLines, replayPasteLines } from './paste.ts'
import { isFaithful, playedLine, replayReport, replayStatus } from './report.ts'
import type { Reporter } from './reporter.ts'

/** A replay that runs. */
export interface Replaying extends Addresses {
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /** The sides of the service that are on the recording. */
  sides(): ReadonlySet<ServiceSide>
  /** What to tell a person who has given no command. */
  readonly paste: string
  /** What the command runs with. */
  environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv
  /** What it is doing now. */
  status(): string
  /** Stops, and says how it went. */
  close(): Promise<Ended>
}

/** How a replay went. */
interface Ended {
  /** For programs. */
  readonly line: Line
  readonly outcome: 'faithful' | 'unfaithful'
  /** For people. */
  text(paint: Paint): string
}

/** Starts what the command line asks for. Throws what stops it, e.g. `WIRETAPE_CASSETTE_INVALID`. */
export function startReplaying(invocation: ReplayInvocation, reporter: Reporter): Promise<Replaying> {
  const { files } = invocation
  const folder = files.find(isFolder)
  if (folder === undefined) return startFiles(invocation, reporter)
  if (files.length === 1) return startFolder(folder, invocation, reporter)
  throw new WiretapeError('WIRETAPE_USAGE', `${folder} is a folder, and a folder is replayed alone.`, {
    hint: 'Its cassettes are replayed one by one, each at a base URL of its own; files together, as if they were one.',
  })
}

async function startFiles(invocation: ReplayInvocation, reporter: Reporter): Promise<Replaying> {
  const { json, display, paint } = reporter
  const { createReplayServer } = await import('../serve/replay-server.ts')
  const server = await createReplayServer({
    ...settingsOf(invocation),
    files: invocation.files,
    // What nobody reads need not be told.
    onReceived: invocation.json && (received => json.print({ event: 'received', ...received })),
    onExchange(played) {
      json.print({ event: 'exchange', ...played })
      display.log(playedLine(played, paint))
    },
    // People get it whole at the end, where nothing scrolls it away.
    onFailure: failure => json.print({ event: 'failure', ...failure }),
  })
  const { url, vertexUrl, caFile } = server
  return {
    url,
    vertexUrl,
    caFile,
    sides: () => server.sides(),
    paste: replayPasteLines(server),
    environment: env => replayEnvironment(env, server),
    status: () => replayStatus(server.progress()),
    async close() {
      const report = await server.close()
      return {
        line: { event: 'closed', ...report },
        outcome: isFaithful(report) ? 'faithful' : 'unfaithful',
        text: style => replayReport(report, style),
      }
    },
  }
}

async function startFolder(
  folder: string,
  invocation: ReplayInvocation,
  reporter: Reporter,
): Promise<Replaying> {
  const { json, display, paint } = reporter
  const { createReplayFolder } = await import('../serve/replay-folder.ts')
  const server = await createReplayFolder({
    ...settingsOf(invocation),
    folder,
    onReceived: invocation.json && ((name, received) => json.print({ event: 'received', name, ...received })),
    onExchange(name, played) {
      json.print({ event: 'exchange', name, ...played })
      display.log(`${name}  ${playedLine(played, paint)}`)
    },
    onFailure: (name, failure) => json.print({ event: 'failure', name, ...failure }),
  })
  const { url, vertexUrl, caFile } = server
  return {
    url,
    vertexUrl,
    caFile,
    sides: () => server.sides(),
    paste: folderPasteLines(server, folder),
    environment: env => folderEnvironment(env, server),
    status: () => replayStatus(server.progress()),
    async close() {
      const report = await server.close()
      return {
        line: { event: 'closed', ...report },
        outcome: isFaithful(report) ? 'faithful' : 'unfaithful',
        text: style => folderReport(report, style),
      }
    },
  }
}

/** What both kinds take. */
function settingsOf({ port, pace, match, ignore, allow, stallMs, quietMs, tls }: ReplayInvocation) {
  return { port, pace, match, ignore, allow, stallMs, mediaQuietMs: quietMs, tls }
}
