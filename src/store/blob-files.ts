/**
 * Reads stretches of blobs from their files when they are asked for: an hour of sound is never in memory as
 * a whole.
 *
 * Room: store.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { BlobSource } from '../cassette/model.ts'
import { isCode } from './disk-error.ts'

/** A stretch of a file that was read last. */
interface Window {
  readonly buffer: Uint8Array
  offset: number
  length: number
}

/** Stretches mostly follow each other, so that more is read than is asked for, in bytes. */
const WINDOW = 131_072
/** How many files are read at a time. */
const WINDOWS = 16

/** @param pathOf - The file of a blob; undefined for a name that is none. */
export function blobFiles(pathOf: (name: string) => string | undefined): BlobSource {
  const windows = new Map<string, Window>()

  /** The window of a file, its own or that of the file that was not read for longest. */
  function windowOf(name: string): Window {
    const [oldest] = windows.size < WINDOWS ? [] : windows.keys()
    const used = windows.get(name) ?? (oldest === undefined ? undefined : windows.get(oldest))
    const window = used ?? { buffer: Buffer.allocUnsafeSlow(WINDOW), offset: 0, length: 0 }
    if (!windows.has(name)) {
      if (oldest !== undefined) windows.delete(oldest)
      window.length = 0
    }
    windows.delete(name)
    windows.set(name, window)
    return window
  }

  return (name, offset, length) => {
    const path = pathOf(name)
    if (path === undefined) return undefined
    if (length > WINDOW) return readStretch(path, offset, length)
    const window = windowOf(name)
    if (offset < window.offset || offset + length > window.offset + window.length) {
      const read = withFile(path, descriptor => readInto(descriptor, window.buffer, offset))
      window.offset = offset
      window.length = read ?? 0
      if (read === undefined) return undefined
    }
    const start = offset - window.offset
    return window.buffer.subarray(start, Math.min(start + length, window.length))
  }
}

/** The length of a file in bytes; undefined where there is none. Throws for what is no file. */
export function fileLength(path: string): number | undefined {
  return withFile(path, descriptor => {
    const stats = fstatSync(descriptor)
    if (stats.isDirectory()) throw new Error('it is a folder')
    return stats.size
  })
}

/** What a file has from `offset` on, `length` bytes at most; undefined where there is no such file. */
export function readStretch(path: string, offset: number, length: number): Uint8Array | undefined {
  return withFile(path, descriptor => {
    // A list may promise more than there is.
    const there = Math.max(0, Math.min(length, fstatSync(descriptor).size - offset))
    const bytes = Buffer.allocUnsafeSlow(there)
    return bytes.subarray(0, readInto(descriptor, bytes, offset))
  })
}

/** Fills a buffer from `offset` of a file on, as far as the file goes. Gives how many bytes that are. */
function readInto(descriptor: number, buffer: Uint8Array, offset: number): number {
  let done = 0
  while (done < buffer.length) {
    const read = readSync(descriptor, buffer, done, buffer.length - done, offset + done)
    if (read === 0) break
    done += read
  }
  return done
}

function withFile<Result>(path: string, use: (descriptor: number) => Result): Result | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (cause) {
    if (isCode(cause, 'ENOENT') || isCode(cause, 'ENOTDIR')) return undefined
    throw cause
  }
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
