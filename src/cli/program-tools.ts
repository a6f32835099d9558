/**
 * The commands that read cassettes, as Commander is told them: show, lint, pack, unpack.
 *
 * Room: cli.
 */
import type { Command } from 'commander'
import { LINT_EXAMPLES, PACK_EXAMPLES, SHOW_EXAMPLES, UNPACK_EXAMPLES } from './examples.ts'
import type { Invocation } from './invocation.ts'
import { jsonTarget } from './values.ts'

interface Options {
  readonly full?: true
  readonly json?: string
  readonly output?: string
  readonly overwrite?: true
}

const JSON_HELP = 'print a JSON object a line, on stdout or to FILE'

/** Adds them to the program. */
export function addTools(
  program: Command,
  { choose }: { readonly choose: (invocation: Invocation) => void },
): void {
  program
    .command('show')
    .usage('FILE [options]')
    .description('show what a cassette holds, as a timeline')
    .argument('<FILE>', 'the cassette to show')
    .option('--full', 'shorten nothing: long texts, signatures, headers, history that is sent along')
    .option('--json [file]', JSON_HELP)
    .addHelpText('after', SHOW_EXAMPLES)
    .action((file: string, { full, json }: Options) =>
      choose({ type: 'show', file, detail: full === true ? 'full' : 'short', json: jsonTarget(json) }),
    )
  program
    .command('lint')
    .usage('FILE|FOLDER… [options]')
    .description('check cassettes: the format, secrets, and what the API would never send')
    .argument('<FILE|FOLDER...>', 'cassettes, and folders with cassettes in them')
    .option('--json [file]', JSON_HELP)
    .addHelpText('after', LINT_EXAMPLES)
    .action((paths: string[], { json }: Options) => choose({ type: 'lint', paths, json: jsonTarget(json) }))
  for (const [type, description, examples] of [
    ['pack', 'put a cassette and its blobs into one file, for sending', PACK_EXAMPLES],
    ['unpack', 'take a packed cassette apart again', UNPACK_EXAMPLES],
  ] as const) {
    program
      .command(type)
      .usage('FILE [options]')
      .description(description)
      .argument('<FILE>', `the cassette to ${type}`)
      .option(
        '-o, --output <FILE>',
        type === 'pack'
          ? 'the file to write (default: FILE as x.packed.cassette.yaml)'
          : 'the cassette to write (default: FILE without .packed)',
      )
      .option('--overwrite', 'replace that file if it exists')
      .addHelpText('after', examples)
      .action((file: string, { output, overwrite }: Options) =>
        choose({ type, file, output, existing: overwrite === true ? 'overwrite' : 'refuse' }),
      )
  }
}
