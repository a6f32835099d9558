/** The runtimes of Go: each version a module of its own. */
import { join } from 'node:path'
import { ROOT } from './case.ts'
import { programsIn } from './registry-files.ts'
import type { Runtime } from './registry.ts'

const FOLDER = join(ROOT, 'test/runtimes/go')

/** All of them. */
export const goRuntimes: readonly Runtime[] = []
