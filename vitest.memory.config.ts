/** The tests of how much memory a long session takes; each takes minutes, and a machine that does little else. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/memory/**/*.test.ts'], testTimeout: 600_000, env: { NO_COLOR: '1' } },
})
