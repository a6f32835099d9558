/**
 * The version of this package, as it is printed and as a cassette's header says it.
 *
 * A constant, so that nothing is read from disk to know it; a test keeps it equal to package.json.
 *
 * Room: cli.
 */

/** The version in package.json. */
export const VERSION = '0.1.0'

/** Who wrote a cassette: the value of `by` in its header. */
export const BY: string = `wiretape/${VERSION}`
