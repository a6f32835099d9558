/** The tests over real traffic recorded by others; its folder is named by `WIRETAPE_CORPUS`. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/corpus/**/*.test.ts'], testTimeout: 120_000, env: { NO_COLOR: '1' } },
})
