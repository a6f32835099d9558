/** The suite that `npm test` runs. The corpus, memory and the agent runtimes have configurations of their own. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/corpus/**', 'test/memory/**', 'test/runtimes/!(invariants)/**', '**/node_modules/**'],
    testTimeout: 60_000,
    env: { NO_COLOR: '1' },
    coverage: {
      include: ['src/**/*.ts'],
      // What only the spawned command runs is tested, but in another process than the one that is measured.
      exclude: ['src/cli/{main,run,record,replay,recover,child,stop,reporter,json-lines}.ts'],
      reporter: ['text-summary'],
      thresholds: {
        lines: 95,
        'src/{wire,cassette,redact}/**/*.ts': { lines: 100 },
      },
    },
  },
})
