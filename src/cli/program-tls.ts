/**
 * `wiretape tls` and the options that go with `--tls`, as Commander is told them.
 *
 * Room: cli.
 */
import type { Command } from 'commander'
import { TLS_EXAMPLES } from './examples.ts'
import type { Invocation } from './invocation.ts'
import { portValue } from './values.ts'

/** What the lines are for unless another port is named. */
const DEFAULT_PORT = '8080'

/** What `--tls` does. */
export const TLS_HELP = 'take https and wss on the same port, and be the proxy for *.googleapis.com'
/** What `--ca-dir` names. */
export const CA_DIR_HELP = "the folder of the certificate authority of --tls (default: in the user's data)"
/** What `--only-google` does. */
export const ONLY_GOOGLE_HELP = 'with --tls: refuse what is for other hosts, instead of passing it through'

/** Adds the command. */
export function addTls(
  program: Command,
  { choose }: { readonly choose: (invocation: Invocation) => void },
): void {
  program
    .command('tls')
    .usage('[options]')
    .description('print what each runtime needs to come to a server with --tls, for a shell')
    .option('--port <N>', `the port of that server (default: ${DEFAULT_PORT})`)
    .option('--ca-dir <DIR>', CA_DIR_HELP)
    .addHelpText('after', TLS_EXAMPLES)
    .action(({ port = DEFAULT_PORT, caDir }: { readonly port?: string; readonly caDir?: string }) =>
      choose({ type: 'tls', port: portValue(port), caDir }),
    )
}
