/** Cuts a body into pieces at seeded places, on purpose where a careless reader breaks. */

/** At most this many bytes are in one piece: below what one socket read takes. */
const LARGEST = 16_384

/** The same pieces for the same seed. Some edges are in the middle of a character or between CR and LF. */
export function cutBody(body: Uint8Array, seed: number): Uint8Array[] {
  const random = mulberry32(seed)
  const pieces: Uint8Array[] = []
  for (let start = 0; start < body.length;) {
    const size = 1 + Math.floor(random() ** 3 * LARGEST)
    let end = Math.min(body.length, start + size)
    if (random() < 0.5) end = nearbyTrap(body, start, end)
    pieces.push(body.subarray(start, end))
    start = end
  }
  return pieces
}

/** The next place before `end` that splits a character or a CRLF, if one is near; else `end`. */
function nearbyTrap(body: Uint8Array, start: number, end: number): number {
  for (let at = end; at > Math.max(start + 1, end - 200); at -= 1) {
    const insideCharacter = ((body[at] ?? 0) & 0xc0) === 0x80
    const insideCrlf = body[at - 1] === 0x0d && body[at] === 0x0a
    if (insideCharacter || insideCrlf) return at
  }
  return end
}

/** A small seeded generator (mulberry32, public domain): the same numbers on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
