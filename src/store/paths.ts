/**
 * Where the files that belong to a cassette are.
 *
 * Room: store.
 */

/** The folder of a cassette's blobs: `x.cassette.yaml` has `x.cassette.blobs`. */
export function blobFolder(file: string): string {
  return `${withoutExtension(file)}.blobs`
}

/** The folder that a recording is written to until it is a cassette: `x.cassette.yaml` has `x.cassette.journal`. */
export function journalFolder(file: string): string {
  return `${withoutExtension(file)}.journal`
}

function withoutExtension(file: string): string {
  return file.replace(/\.ya?ml$/, '')
}
