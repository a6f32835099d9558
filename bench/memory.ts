/** placeholder */
import type { Benchmark } from './row.ts'

export const memory: Benchmark = async () => []
