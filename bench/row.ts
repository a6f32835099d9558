/** What a benchmark measures, and how figures become one. */

/** One line of the table. */
export interface Row {
  readonly what: string
  readonly wiretape: string
  /** What ran beside it, in the same run, and its figure. */
  readonly beside: string
  /** What the bar is held against. */
  readonly result: string
  readonly bar: string
  readonly holds: boolean
  /** How it was measured. */
  readonly how: string
}

/** Measures one or more rows. */
export type Benchmark = (folder: string, tell: (text: string) => void) => Promise<readonly Row[]>

/** The value below which such a part of all lies; 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/**
 * Measures two things in turn, so that whatever else the machine does befalls both: the figures of each, and
 * the ratios round by round. A round that nobody counts comes first.
 */
export async function sideBySide(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<{ readonly ours: number; readonly theirs: number; readonly ratio: number }> {
  await ours()
  await theirs()
  const all: { readonly one: number; readonly other: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Whoever is second finds the machine warmer.
    if (round % 2 === 0) {
      const one = await ours()
      all.push({ one, other: await theirs() })
    } else {
      const other = await theirs()
      all.push({ one: await ours(), other })
    }
  }
  return {
    ours: median(all.map(({ one }) => one)),
    theirs: median(all.map(({ other }) => other)),
    ratio: median(all.map(({ one, other }) => one / other)),
  }
}

/** Three digits that count. */
export function figure(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`
}
