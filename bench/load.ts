/** placeholder */
import type { Benchmark } from './row.ts'

export const load: Benchmark = async () => []
