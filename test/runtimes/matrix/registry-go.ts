/** The runtimes of Go: each version a module of its own. */
import type { Runtime } from './registry.ts'

/** All of them. */
export const goRuntimes: readonly Runtime[] = []
