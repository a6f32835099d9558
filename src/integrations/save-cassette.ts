/**
 * Saves a cassette that was made in memory.
 *
 * Room: integrations.
 */
import { madeCassette } from './made-cassette.ts'
import type { MadeCassette } from './use-cassette.ts'

/** How {@link saveCassette} saves. */
export interface SaveOptions {
  /** What happens to a cassette that is there already: `refuse` unless given. */
  readonly existing?: 'refuse' | 'overwrite' | undefined
}

/**
 * Writes a cassette that was made in memory to a file, its blobs into the folder beside it.
 *
 * @param file - Its path, named `*.cassette.yaml`. Folders on the way are made.
 * @param made - A builder of `wiretape/build`, or what `parseCassette` gives.
 * @throws `WIRETAPE_USAGE` for another name, or where there is one already; `WIRETAPE_SECRET` where it holds a key;
 * `WIRETAPE_WRITE`. A cassette that was there is untouched then.
 *
 * @example
 * ```ts
 * const tape = cassette().on('gemini-2.5-flash', 'Say hello.').answers('Hello.')
 * await saveCassette('cassettes/hello.cassette.yaml', tape)
 * ```
 */
export async function saveCassette(
  file: string,
  made: MadeCassette,
  options: SaveOptions = {},
): Promise<void> {
  const [{ checkSaveOptions }, { saveCassette: save }, { openBlobs }] = await Promise.all([
    import('./option-names.ts'),
    import('../store/save.ts'),
    import('../store/load.ts'),
  ])
  checkSaveOptions(options)
  const { existing = 'refuse' } = options
  const cassette = madeCassette(made)
  save(file, cassette, openBlobs(cassette), existing)
}
