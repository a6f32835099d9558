/** The runtimes of JavaScript. */
import { join } from 'node:path'
import { ROOT } from './case.ts'
import type { Runtime } from './registry.ts'

/** All of them. */
export const javascriptRuntimes: readonly Runtime[] = []
