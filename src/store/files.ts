/**
 * Puts a rendered cassette and its blobs in place, so that a reader sees the old one or the new one, whole.
 *
 * Blobs come first and under names that the old cassette does not have, then the cassette is renamed into
 * place, then what only the old one had goes. Stopped anywhere, it can be done again from the start.
 *
 * Room: store.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { guarded, isCode } from './disk-error.ts'
import { blobFolder } from './paths.ts'

/** A cassette that is ready to be written. */
export interface CassetteFiles {
  readonly text: string
  /** By name. */
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

/**
 * Writes a cassette and its blobs, in the place of what was there.
 *
 * @throws `WIRETAPE_WRITE`; the old cassette and its blobs are then as they were.
 */
export function placeCassette(file: string, { text, blobs }: CassetteFiles): void {
  const folder = blobFolder(file)
  guarded(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    if (blobs.size > 0) mkdirSync(folder, { recursive: true })
    for (const [name, bytes] of blobs) writeWhole(join(folder, name), bytes)
    if (blobs.size > 0) syncFolder(folder)
    writeWhole(file, Buffer.from(text))
    syncFolder(dirname(file))
    removeOthers(folder, blobs)
  })
}

function removeOthers(folder: string, kept: ReadonlyMap<string, Uint8Array>): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && !kept.has(entry.name)) rmSync(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

/**
 * Writes beside, then renames: the name never stands for half a file. What a killed process leaves beside is
 * written over by the next, which is the only writer too.
 */
function writeWhole(path: string, bytes: Uint8Array): void {
  const beside = join(dirname(path), `.${basename(path)}.tmp`)
  try {
    const descriptor = openSync(beside, 'w', 0o644)
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, path)
  } catch (cause) {
    rmSync(beside, { force: true })
    throw cause
  }
}

/** A rename lasts once its folder is on the disk. Systems that can't open a folder don't need it. */
function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch (cause) {
    if (isCode(cause, 'EISDIR') || isCode(cause, 'EPERM') || isCode(cause, 'EACCES')) return
    throw cause
  }
  try {
    fsyncSync(descriptor)
  } catch (cause) {
    if (!isCode(cause, 'EINVAL') && !isCode(cause, 'EPERM')) throw cause
  } finally {
    closeSync(descriptor)
  }
}
