/** Builds what is published: the entry with its declarations, and the command. */
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/cli/main.ts' },
  format: 'esm',
  target: 'node20.19',
  platform: 'node',
  dts: { entry: { index: 'src/index.ts' } },
  clean: true,
  sourcemap: false,
  splitting: true,
  silent: true,
  external: ['@google/genai'],
})
