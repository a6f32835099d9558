/** The tests in agent runtimes of other languages, each installed into an ignored folder of its own. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/runtimes/**/*.test.ts'],
    // A run is two programs of some weight.
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    env: { NO_COLOR: '1' },
  },
})
