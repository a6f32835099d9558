/** The suite that `npm test` runs. The corpus and the agent runtimes have configurations of their own. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/corpus/**', 'test/runtimes/**', '**/node_modules/**'],
    testTimeout: 20_000,
    env: { NO_COLOR: '1' },
  },
})
