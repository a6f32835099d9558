/**
 * The files that a socket's media goes to: one for each side and MIME type, in the order in which it was
 * sent, so that each plays as a whole.
 *
 * Room: cassette.
 */
import type { SocketSide } from '../dialect/live-messages.ts'
import { referenceTo } from './blobs.ts'

/** The files of one socket. */
export interface SideFiles {
  /** Appends to the file of this side and type, and gives the reference to what was appended. */
  append(side: SocketSide, mimeType: string, bytes: Uint8Array): string
  /** The files by name, and how many bytes each has by now. */
  readonly lengths: ReadonlyMap<string, number>
}

/** What the files are called: no message may mention a name like this and be taken for a reference. */
const SIDE_FILE = /^\d+-(?:client|server)(?:-\d+)?\.[a-z0-9]+$/

/**
 * Starts the files of a socket.
 *
 * @param number - The number of its exchange in the cassette, from 1.
 * @param isTaken - True for a name that something else has.
 * @param write - Appends to the file of this name.
 */
export function createSideFiles(
  number: number,
  isTaken: (name: string) => boolean,
  write: (name: string, bytes: Uint8Array) => void,
): SideFiles {
  const lengths = new Map<string, number>()
  const names = new Map<string, string>()

  function freeName(side: SocketSide, mimeType: string): string {
    const extension = extensionOf(mimeType)
    for (let count = 1; ; count += 1) {
      const name = `${number}-${side}${count === 1 ? '' : `-${count}`}.${extension}`
      if (!lengths.has(name) && !isTaken(name)) return name
    }
  }

  return {
    lengths,
    append(side, mimeType, bytes) {
      const type = `${side} ${mimeType.trim().toLowerCase()}`
      const name = names.get(type) ?? freeName(side, mimeType)
      names.set(type, name)
      const offset = lengths.get(name) ?? 0
      write(name, bytes)
      lengths.set(name, offset + bytes.length)
      return referenceTo(name, offset, bytes.length)
    },
  }
}

/** True for a name that {@link createSideFiles} might give. */
export function isSideFile(name: string): boolean {
  return SIDE_FILE.test(name)
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/l16', 'pcm'],
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['text/plain', 'txt'],
  ['application/octet-stream', 'bin'],
])

/**
 * The extension of a blob's name, so that a double click opens it: the MIME type's subtype, where it is one
 * word, is what most tools go by.
 */
export function extensionOf(mimeType: string): string {
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
  const subtype = type.split('/')[1]?.replace(/^x-/, '') ?? ''
  return EXTENSIONS.get(type) ?? (/^[a-z0-9]{1,8}$/.test(subtype) ? subtype : 'bin')
}
