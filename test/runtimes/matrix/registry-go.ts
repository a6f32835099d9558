/** The runtimes of Go. */
import type { Runtime } from './registry.ts'

/** All of them. */
export const goRuntimes: readonly Runtime[] = []
