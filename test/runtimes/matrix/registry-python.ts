/** The runtimes of Python. */
import type { Runtime } from './registry.ts'

/** All of them. */
export const pythonRuntimes: readonly Runtime[] = []
