/** The runtimes of Java. */
import type { Runtime } from './registry.ts'

/** All of them. */
export const javaRuntimes: readonly Runtime[] = []
