/**
 * A new file that is written in small pieces, and on the disk when it is finished.
 *
 * Room: store.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** A file that is being written. */
export interface GrowingFile {
  /** Appends; the bytes are copied. */
  append(bytes: Uint8Array): void
  /** Makes sure that a reader sees all of it. */
  flush(): void
  /** Makes sure that it lasts. Nothing is appended after this. */
  finish(): void
  /** Lets it go as it is. Doing it twice does no harm. */
  close(): void
}

/** How much is gathered before it is written, in bytes. */
const BATCH = 65_536

/** Makes a file, in the place of one that is there. */
export function createGrowingFile(path: string): GrowingFile {
  const descriptor = openSync(path, 'w', 0o644)
  const batch = Buffer.allocUnsafeSlow(BATCH)
  let length = 0
  let isOpen = true

  function write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
  }

  function flush(): void {
    if (length > 0) write(batch.subarray(0, length))
    length = 0
  }

  function close(): void {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }

  return {
    append(bytes) {
      if (length + bytes.length > BATCH) flush()
      if (bytes.length > BATCH) {
        write(bytes)
        return
      }
      batch.set(bytes, length)
      length += bytes.length
    },
    flush,
    finish() {
      if (!isOpen) return
      flush()
      fsyncSync(descriptor)
      close()
    },
    close,
  }
}
