/**
 * The commands and their options, as Commander is told them; it writes the help from this.
 *
 * Room: cli.
 */
import { Command } from 'commander'
import { DEMO_EXAMPLES, EXAMPLES, RECORD_EXAMPLES, RECOVER_EXAMPLES, REPLAY_EXAMPLES } from './examples.ts'
import type { Invocation, UserCommand } from './invocation.ts'
import { paceValue } from './pace.ts'
import { addTls, CA_DIR_HELP, ONLY_GOOGLE_HELP, TLS_HELP } from './program-tls.ts'
import { addTools } from './program-tools.ts'
import {
  allowValue,
  collected,
  ignoreValue,
  jsonTarget,
  matchValue,
  millisecondsValue,
  portValue,
  type TlsWords,
  tlsValue,
  urlValue,
} from './values.ts'
import { VERSION } from './version.ts'

/** What the program does with what it has read. */
export interface ProgramHooks {
  /** Help, or the version. */
  print(text: string): void
  choose(invocation: Invocation): void
  /** What stood after `--`. */
  readonly command: UserCommand | undefined
}

interface Options extends TlsWords {
  readonly upstream?: string
  readonly vertexUpstream?: string
  readonly port?: string
  readonly overwrite?: true
  readonly pace?: string
  readonly paceCap?: string
  readonly match?: string
  readonly ignore?: readonly string[]
  readonly allow?: readonly string[]
  readonly stall?: string
  readonly quiet?: string
  readonly json?: string
}

const PORT_HELP = 'the port to listen on (default: any that is free)'
const JSON_HELP = 'print a JSON object a line: on stdout; with a COMMAND on stderr, or to FILE'

/** The whole of the command line, ready to parse once. Option values throw `WIRETAPE_USAGE`. */
export function createProgram(hooks: ProgramHooks): Command {
  const program = new Command('wiretape')
    .usage('COMMAND …')
    .description('Records Gemini traffic into a cassette and replays it, byte for byte and offline.')
    .version(VERSION)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: text => hooks.print(text), writeErr: text => hooks.print(text) })
    .configureHelp({
      optionTerm: option => option.flags.replace('--json [file]', '--json[=FILE]'),
      subcommandTerm: command => command.name(),
    })
    .addHelpText('after', EXAMPLES)
  addRecord(program, hooks)
  addReplay(program, hooks)
  addTools(program, hooks)
  addTls(program, hooks)
  program
    .command('recover')
    .usage('FILE')
    .description('make FILE from what a recorder that was killed left behind')
    .argument('<FILE>', 'the cassette that was being recorded')
    .addHelpText('after', RECOVER_EXAMPLES)
    .action((file: string) => hooks.choose({ type: 'recover', file }))
  program
    .command('demo')
    .description('record a session and replay it, offline and without a key')
    .addHelpText('after', DEMO_EXAMPLES)
    .action(() => hooks.choose({ type: 'demo' }))
  return program
}

function addRecord(program: Command, hooks: ProgramHooks): void {
  program
    .command('record')
    .usage('FILE [options] [-- COMMAND …]')
    .description('record what passes through a proxy into FILE, a new cassette')
    .argument('<FILE>', 'the cassette to write, e.g. session.cassette.yaml')
    .option('--upstream <URL>', 'the service to forward to, instead of the Gemini API')
    .option('--vertex-upstream <URL>', 'the service to forward to, instead of Vertex AI')
    .option('--port <N>', PORT_HELP)
    .option('--tls', TLS_HELP)
    .option('--ca-dir <DIR>', CA_DIR_HELP)
    .option('--only-google', ONLY_GOOGLE_HELP)
    .option('--overwrite', 'replace FILE if it exists, once the new recording is complete')
    .option('--json [file]', JSON_HELP)
    .addHelpText('after', RECORD_EXAMPLES)
    .action((file: string, options: Options) =>
      hooks.choose({
        type: 'record',
        file,
        upstream: urlValue('--upstream', options.upstream),
        vertexUpstream: urlValue('--vertex-upstream', options.vertexUpstream),
        port: portValue(options.port),
        existing: options.overwrite === true ? 'overwrite' : 'refuse',
        tls: tlsValue(options),
        json: jsonTarget(options.json),
        command: hooks.command,
      }),
    )
}

function addReplay(program: Command, hooks: ProgramHooks): void {
  program
    .command('replay')
    .usage('FILE…|FOLDER [options] [-- COMMAND …]')
    .description('play cassettes as if they were the service, and fail where the app differs')
    .argument('<FILE|FOLDER...>', 'the cassettes to play, as if they were one; or a folder, each for itself')
    .option('--port <N>', PORT_HELP)
    .option('--tls', TLS_HELP)
    .option('--ca-dir <DIR>', CA_DIR_HELP)
    .option('--pace <P>', 'instant, recorded, or a factor: 2x halves the pauses (default: instant)')
    .option('--pace-cap <MS>', 'no pause longer than so many ms; with --pace, else the recorded ones')
    .option('--match <HOW>', 'what a request must be like: body, route or strict-order (default: body)')
    .option(
      '--ignore <POINTER>',
      "a place in bodies that does not count: '/contents/*/role'; repeatable",
      collected,
    )
    .option('--allow <KIND>', 'what fails nothing, e.g. never-asked or extra-request; repeatable', collected)
    .option('--stall <MS>', 'Live: fail after so many ms without what the app sent here (default: 10000)')
    .option('--quiet <MS>', 'Live: go on after so many ms of silence where sound is short (default: 1000)')
    .option('--json [file]', JSON_HELP)
    .addHelpText('after', REPLAY_EXAMPLES)
    .action((files: string[], options: Options) =>
      hooks.choose({
        type: 'replay',
        files,
        port: portValue(options.port),
        pace: paceValue(options.pace, options.paceCap),
        match: matchValue(options.match),
        ignore: ignoreValue(options.ignore),
        allow: allowValue(options.allow),
        stallMs: millisecondsValue('--stall', options.stall),
        quietMs: millisecondsValue('--quiet', options.quiet),
        tls: tlsValue(options),
        json: jsonTarget(options.json),
        command: hooks.command,
      }),
    )
}
