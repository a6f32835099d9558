/**
 * Reads stretches of blobs from their files when they are asked for: an hour of sound is never in memory as
 * a whole.
 *
 * Room: store.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { BlobSource } from '../cassette/model.ts'
import { isCode } from './lock.ts'

/** A stretch of a file that was read last. */
interface Window {
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Stretches mostly follow each other, so that more is read than is asked for, in bytes. */
const WINDOW = 131_072
/** How many files are read at a time. */
const WINDOWS = 16

/** @param pathOf - The file of a blob; undefined for a name that is none. */
export function blobFiles(pathOf: (name: string) => string | undefined): BlobSource {
  const windows = new Map<string, Window>()

  function windowAt(name: string, path: string, offset: number): Window | undefined {
    const bytes = readStretch(path, offset, WINDOW)
    if (bytes === undefined) return undefined
    windows.delete(name)
    for (const oldest of windows.keys()) {
      if (windows.size < WINDOWS) break
      windows.delete(oldest)
    }
    const window = { offset, bytes }
    windows.set(name, window)
    return window
  }

  return (name, offset, length) => {
    const path = pathOf(name)
    if (path === undefined) return undefined
    if (length > WINDOW) return readStretch(path, offset, length)
    const last = windows.get(name)
    const isInside =
      last !== undefined && offset >= last.offset && offset + length <= last.offset + last.bytes.length
    const window = isInside ? last : windowAt(name, path, offset)
    return window?.bytes.subarray(offset - window.offset, offset - window.offset + length)
  }
}

/** The length of a file in bytes; undefined where there is none. */
export function fileLength(path: string): number | undefined {
  return withFile(path, descriptor => fstatSync(descriptor).size)
}

/** What a file has from `offset` on, `length` bytes at most; undefined where there is no such file. */
function readStretch(path: string, offset: number, length: number): Uint8Array | undefined {
  return withFile(path, descriptor => {
    // A list may promise more than there is.
    const there = Math.max(0, Math.min(length, fstatSync(descriptor).size - offset))
    const bytes = Buffer.allocUnsafeSlow(there)
    let done = 0
    while (done < there) {
      const read = readSync(descriptor, bytes, done, there - done, offset + done)
      if (read === 0) break
      done += read
    }
    return bytes.subarray(0, done)
  })
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
