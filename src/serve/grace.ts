/**
 * How long what is open may take to end when its server closes: the same for all that serve here.
 *
 * Room: serve.
 */

/** In milliseconds. What is still open then is cut; what was cut gets as long again to be gone. */
export const GRACE_MS = 2000
