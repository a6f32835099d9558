/**
 * Writes a cassette and its blobs beside their place, and puts them in it, so that a reader sees the old
 * cassette or the new one, whole.
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
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { BlobSource } from '../cassette/model.ts'
import { blobFiles, readStretch } from './blob-files.ts'
import { guarded, isCode } from './disk-error.ts'
import { createGrowingFile, type GrowingFile } from './growing-file.ts'
import { blobFolder } from './paths.ts'

/** A cassette that is being written beside its place. Its functions throw `WIRETAPE_WRITE`. */
export interface StagedCassette {
  /** Appends to its text, and gives where that ends, in bytes. */
  write(text: string | Uint8Array): number
  /** Adds a blob that is named by its content: once is enough. */
  keep(name: string, bytes: Uint8Array): void
  /** Appends to a blob, until the next {@link StagedCassette.settle}. */
  append(name: string, bytes: Uint8Array): void
  /** Nothing more is appended to the blobs that there are. */
  settle(): void
  /** True for a blob's name that is in use, here or by what is in the cassette's place now. */
  isTaken(name: string): boolean
  /** The names of its blobs. */
  readonly names: ReadonlySet<string>
  /** A stretch of its text, and what its blobs hold. */
  bytes(from: number, to: number): Uint8Array
  readonly blobs: BlobSource
  /** Puts it in its place. */
  place(): void
  /** Removes it. What is in its place is as it was. */
  discard(): void
}

/**
 * Starts to write a cassette. Nothing of the one that is in its place is touched before {@link StagedCassette.place}.
 *
 * @param kept - Blobs of the old one that the new one has too.
 * @param writer - Tells writers apart where none has a lock; part of the names of files.
 */
export function stageCassette(
  file: string,
  kept: ReadonlySet<string> = new Set(),
  writer = '',
): StagedCassette {
  const folder = blobFolder(file)
  const names = new Set<string>()
  const growing = new Map<string, GrowingFile>()
  let length = 0
  const blobPath = (name: string): string => beside(join(folder, name), writer)
  const text = guarded(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    return createGrowingFile(beside(file, writer))
  })

  function createBlob(name: string): GrowingFile {
    mkdirSync(folder, { recursive: true })
    const blob = createGrowingFile(blobPath(name))
    names.add(name)
    return blob
  }

  function settle(): void {
    for (const blob of growing.values()) blob.finish()
    growing.clear()
  }

  return {
    names,
    write(part) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      guarded(file, () => text.append(bytes))
      length += bytes.length
      return length
    },
    keep: (name, bytes) =>
      guarded(file, () => {
        if (names.has(name)) return
        const blob = createBlob(name)
        growing.set(name, blob)
        blob.append(bytes)
        settle()
      }),
    append: (name, bytes) =>
      guarded(file, () => {
        const blob = growing.get(name) ?? createBlob(name)
        growing.set(name, blob)
        blob.append(bytes)
      }),
    settle: () => guarded(file, settle),
    isTaken: name => names.has(name) || existsSync(join(folder, name)),
    bytes: (from, to) =>
      guarded(file, () => {
        text.flush()
        return readStretch(beside(file, writer), from, to - from) ?? new Uint8Array()
      }),
    blobs: blobFiles(name => (names.has(name) ? blobPath(name) : undefined)),
    place: () =>
      guarded(file, () => {
        settle()
        text.finish()
        for (const name of names) renameSync(blobPath(name), join(folder, name))
        if (names.size > 0) syncFolder(folder)
        renameSync(beside(file, writer), file)
        syncFolder(dirname(file))
        removeOthers(folder, new Set([...names, ...kept]))
      }),
    discard() {
      for (const blob of growing.values()) blob.close()
      text.close()
      for (const name of names) rmSync(blobPath(name), { force: true })
      rmSync(beside(file, writer), { force: true })
      if (names.size > 0 && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
    },
  }
}

/**
 * Where a file is until it is whole: its name never stands for half of it. What a killed process leaves there
 * is written over by the next, which is the only writer too, or the only one of its name.
 */
function beside(path: string, writer: string): string {
  return join(dirname(path), `.${basename(path)}${writer}.tmp`)
}

function removeOthers(folder: string, kept: ReadonlySet<string>): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && !kept.has(entry.name)) rmSync(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
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
