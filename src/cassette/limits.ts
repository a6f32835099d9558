/**
 * How much a cassette may ask of its reader, so that a broken or hostile file ends in an error that says so.
 *
 * Room: cassette.
 */

/** What a reader accepts. */
export interface Limits {
  /** Characters of text. Media of any length go into blobs, which do not count. */
  readonly size: number
  /** Documents in one file: headers and exchanges. */
  readonly documents: number
  /** How deep mappings and lists may be nested; payloads of our own writer reach 60 and a few. */
  readonly depth: number
  /** How many aliases (`*name`) one document may expand. */
  readonly aliases: number
  /**
   * From this many characters of messages on their values are not kept, but read again when they are asked for.
   */
  readonly kept: number
}

/** The limits that hold where a caller sets none. */
export const DEFAULT_LIMITS: Limits = {
  size: 134_217_728,
  documents: 10_000,
  depth: 80,
  aliases: 100,
  kept: 1_000_000,
}
