/** A cassette that was built, as a file with its blobs beside it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CassetteBuilder } from '../../src/build/entry.ts'

/** Saves it into a folder and gives its path. */
export function saved(folder: string, name: string, tape: CassetteBuilder): string {
  const file = join(folder, `${name}.cassette.yaml`)
  writeFileSync(file, tape.render())
  const { blobs } = tape.build()
  if (blobs.size > 0) mkdirSync(join(folder, `${name}.cassette.blobs`))
  for (const [blob, bytes] of blobs) writeFileSync(join(folder, `${name}.cassette.blobs`, blob), bytes)
  return file
}
