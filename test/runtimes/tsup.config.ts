/** Builds the command that plays the matrix; it runs what `npm run build` has made. */
import type { Options } from 'tsup'

const config: Options = {
  entry: { main: 'test/runtimes/matrix/main.ts' },
  outDir: 'test/runtimes/.cache',
  format: 'esm',
  target: 'node20.19',
  platform: 'node',
  splitting: false,
  silent: true,
}

export default config
