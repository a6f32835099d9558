/** stub */
import type { PackInvocation } from './invocation.ts'
import type { Surroundings } from './output.ts'
export function pack(_i: PackInvocation, _s: Surroundings): Promise<number> {
  return Promise.resolve(0)
}
export function unpack(_i: PackInvocation, _s: Surroundings): Promise<number> {
  return Promise.resolve(0)
}
