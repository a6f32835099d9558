/** The package as it is published. */
import type * as Wiretape from '../src/index.ts'

/** Imports what `npm run build` has made. */
export async function importBuilt(): Promise<typeof Wiretape> {
  return (await import(new URL('../../dist/index.js', import.meta.url).href)) as typeof Wiretape
}
