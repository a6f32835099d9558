/** A service on a bare socket and a recording in front of it, gone when the test is over. */
import { afterEach } from 'vitest'
import { startByteUpstream, type ByteScript, type ByteUpstream } from '../peers/byte-upstream.ts'
import { startRecording, type Recording } from '../peers/recording.ts'

const disposals: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose()
})

/** Does this when the test is over; what was begun last is undone first. */
export function afterwards(dispose: () => Promise<void>): void {
  disposals.push(dispose)
}

/** Starts both. */
export async function startBoth(
  script: ByteScript,
): Promise<{ upstream: ByteUpstream; recording: Recording }> {
  const upstream = await startByteUpstream(script)
  afterwards(() => upstream.close())
  const recording = await startRecording(upstream.url)
  afterwards(() => recording.dispose())
  return { upstream, recording }
}
