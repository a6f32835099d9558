/**
 * The examples that `--help` ends with. A test runs each.
 *
 * Room: cli.
 */

/** For `wiretape --help`. */
export const EXAMPLES: string = examples(
  'wiretape record session.cassette.yaml -- npm start',
  'wiretape replay session.cassette.yaml -- npm test',
  'wiretape show session.cassette.yaml',
  'wiretape demo',
)

/** For `wiretape record --help`. */
export const RECORD_EXAMPLES: string = examples(
  'wiretape record session.cassette.yaml -- python app.py',
  'wiretape record session.cassette.yaml --port 8080        # until Ctrl-C',
  'wiretape record session.cassette.yaml --overwrite --json=session.log -- npm test',
)

/** For `wiretape replay --help`. */
export const REPLAY_EXAMPLES: string = examples(
  'wiretape replay session.cassette.yaml -- npm test',
  'wiretape replay first.cassette.yaml second.cassette.yaml --pace recorded',
  'wiretape replay session.cassette.yaml --port 8080 --json',
  'wiretape replay cassettes -- pytest                    # a base URL for each cassette',
)

/** For `wiretape show --help`. */
export const SHOW_EXAMPLES: string = examples(
  'wiretape show session.cassette.yaml',
  'wiretape show session.cassette.yaml --full | less',
  'wiretape show session.cassette.yaml --json',
)

/** For `wiretape lint --help`. */
export const LINT_EXAMPLES: string = examples(
  'wiretape lint session.cassette.yaml',
  'wiretape lint cassettes test/cassettes',
)

/** For `wiretape pack --help`. */
export const PACK_EXAMPLES: string = examples(
  'wiretape pack session.cassette.yaml',
  'wiretape pack session.cassette.yaml -o bug-1234.packed.cassette.yaml',
)

/** For `wiretape unpack --help`. */
export const UNPACK_EXAMPLES: string = examples(
  'wiretape unpack session.packed.cassette.yaml',
  'wiretape unpack bug-1234.packed.cassette.yaml -o session.cassette.yaml --overwrite',
)

/** For `wiretape tls --help`. */
export const TLS_EXAMPLES: string = examples('wiretape tls', 'wiretape tls --port 8443 --ca-dir ./ca')

/** For `wiretape recover --help`. */
export const RECOVER_EXAMPLES: string = examples('wiretape recover session.cassette.yaml')

/** For `wiretape demo --help`. */
export const DEMO_EXAMPLES: string = examples('wiretape demo')

function examples(...lines: readonly string[]): string {
  return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines.map(line => `  $ ${line}`)].join('\n')
}
