/** Builds what is published: the entries with their declarations, and the command. */
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    build: 'src/build/entry.ts',
    vitest: 'src/integrations/vitest.ts',
    'node-test': 'src/integrations/node-test.ts',
    cli: 'src/cli/main.ts',
  },
  format: 'esm',
  target: 'node20.19',
  platform: 'node',
  dts: {
    entry: {
      index: 'src/index.ts',
      build: 'src/build/entry.ts',
      vitest: 'src/integrations/vitest.ts',
      'node-test': 'src/integrations/node-test.ts',
    },
  },
  clean: true,
  sourcemap: false,
  splitting: true,
  silent: true,
  external: ['@google/genai', 'vitest'],
})
