/** Builds the benchmarks, which run what `npm run build` has made. */
import type { Options } from 'tsup'

const config: Options = {
  entry: { main: 'bench/main.ts', peer: 'bench/peer.ts' },
  outDir: 'bench/.cache',
  format: 'esm',
  target: 'node20.19',
  platform: 'node',
  clean: true,
  silent: true,
  // What is measured is the package as it is published, and its peers as they are installed.
  external: ['ws'],
}

export default config
