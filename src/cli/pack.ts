/**
 * `wiretape pack` and `wiretape unpack`: a cassette as one file for sending, and back.
 *
 * Room: cli.
 */
import type { PackSummary } from '../store/pack.ts'
import type { PackInvocation } from './invocation.ts'
import { byteSize, count, painter, type Surroundings } from './output.ts'

/** Packs. Returns the exit code. Throws what `packCassette` throws. */
export async function pack(invocation: PackInvocation, surroundings: Surroundings): Promise<number> {
  const { packCassette } = await import('../store/pack.ts')
  const summary = await packCassette(invocation.file, invocation)
  return report('Packed', summary, surroundings)
}

/** Unpacks. Returns the exit code. Throws what `unpackCassette` throws. */
export async function unpack(invocation: PackInvocation, surroundings: Surroundings): Promise<number> {
  const { unpackCassette } = await import('../store/pack.ts')
  const summary = await unpackCassette(invocation.file, invocation)
  return report('Unpacked', summary, surroundings)
}

function report(
  done: string,
  { file, exchanges, blobs, bytes, secrets }: PackSummary,
  { stdout, env }: Surroundings,
): number {
  const parts = [count(exchanges, 'exchange')]
  if (blobs > 0) parts.push(`${count(blobs, 'blob')} of ${byteSize(bytes)}`)
  const replaced = secrets === 0 ? '' : `; ${count(secrets, 'secret')} replaced`
  stdout.write(`${painter(stdout, env)('green', done)} ${file}: ${parts.join(', ')}${replaced}.\n`)
  return 0
}
