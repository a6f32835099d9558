/**
 * Keeps the memory of a long session small.
 *
 * Room: cli.
 */
import { setFlagsFromString } from 'node:v8'

/**
 * Has what is thrown away collected early.
 *
 * Under a stream of messages V8 lets its young generation grow from 1 to 16 MB, twice, and what happens to be in
 * use at each collection ends among the old, which may double before it is looked at: 50 MB for an hour of sound.
 * With these, 400 MB of messages are recorded in less than 100 MB and replayed in less than 110.
 */
export function collectEarly(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=20')
}
