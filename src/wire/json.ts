/**
 * JSON text and the values it stands for, without losing what `JSON.parse` loses.
 *
 * Room: wire.
 */

/** A JSON value as JavaScript holds it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object; the order of its keys is part of what was sent. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A value, and how the text spelled each of its numbers, in the order in which they stand. */
export interface JsonReading {
  readonly value: JsonValue
  readonly numbers: readonly string[]
}

/**
 * Reads JSON text whose value can be written back without loss: every number survives as a double, no
 * key comes twice, integer-like keys are in the order a JavaScript object keeps, depth is 60 at most and no key is longer than 400
 * characters. Undefined otherwise; the text is then the only faithful form.
 */
export declare function readJsonLossless(text: string): JsonReading | undefined
