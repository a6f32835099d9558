/**
 * The folders on the way to a recording: made when it begins, and gone again where nothing has come to be in them.
 *
 * Room: store.
 */
import { mkdirSync, rmdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isCode } from './disk-error.ts'

/** Those that this process made. Two recordings may be in one: whichever ends last removes it. */
const MADE = new Set<string>()

/** Makes a folder and those above it, as folders usually are. Throws what the system throws. */
export function makeFolders(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  const top = resolve(first)
  for (let made = resolve(folder); made.startsWith(top); made = dirname(made)) MADE.add(made)
}

/** Removes a folder and those above it, as far as they were made here and are empty. */
export function removeMadeFolders(folder: string): void {
  for (let made = resolve(folder); MADE.has(made); made = dirname(made)) {
    try {
      rmdirSync(made)
    } catch (cause) {
      // Something is in it, or somebody has removed it: an empty folder is not worth an error.
      if (!isCode(cause, 'ENOENT')) return
    }
    MADE.delete(made)
  }
}
