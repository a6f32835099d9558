/**
 * Reads how fast a replay is to go, as the command line says it and as a program does.
 *
 * Room: cli.
 */
import { WiretapeError } from '../errors.ts'
import type { Pace } from '../replay/http.ts'
import { didYouMean } from './nearest.ts'
import { millisecondsValue } from './values.ts'

/** How fast a replay goes. The order of what is played is the same at every pace. */
export type PaceOption =
  /** At once; with the recorded pauses; or with those divided by a factor: `2x` halves them. */
  | 'instant'
  | 'recorded'
  | `${number}x`
  /** Nothing goes out until the test calls `step()`. */
  | 'manual'
  /** The recorded pauses divided by `factor` (1 unless set), and none of them longer than `capMs` milliseconds then. */
  | { readonly factor?: number | undefined; readonly capMs?: number | undefined }

/**
 * The pace of `--pace` and `--pace-cap`: `instant` where neither is given, `recorded` where only a cap is.
 * Throws `WIRETAPE_USAGE`.
 */
export function paceValue(text: string | undefined, cap?: string): Pace {
  const capMs = millisecondsValue('--pace-cap', cap)
  const pace = readPace(text ?? (capMs === undefined ? 'instant' : 'recorded'))
  if (capMs === undefined) return pace
  if (pace.type === 'factor') return { ...pace, capMs }
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `--pace-cap caps pauses, and at the pace '${text}' there are none.`,
    { hint: "Leave one of the two out, or take '--pace recorded'." },
  )
}

/** The pace that a program asks for; `instant` where it asks for none. Throws `WIRETAPE_USAGE`. */
export function paceOption(option: PaceOption = 'instant'): Pace {
  if (option === 'manual') return { type: 'manual' }
  if (typeof option === 'string') return readPace(option, [...WORDS, 'manual'])
  // JavaScript may say `null`, or a number.
  const { factor = 1, capMs } =
    typeof option === 'object' && option !== null ? option : { factor: Number.NaN }
  if (factor > 0 && factor < Infinity && (capMs === undefined || capMs >= 0)) {
    return { type: 'factor', factor, capMs }
  }
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `A pace has a factor above 0 and a cap of 0 ms or more, not ${JSON.stringify(option)}.`,
    { hint: 'Twice as fast, with no pause longer than half a second, is `{ factor: 2, capMs: 500 }`.' },
  )
}

/** The paces that are a word, for a command. */
const WORDS = ['instant', 'recorded'] as const

/** `words`: those that there are for whoever asks. */
function readPace(text: string, words: readonly string[] = WORDS): Pace {
  if (text === 'instant') return { type: 'instant' }
  if (text === 'recorded') return { type: 'factor', factor: 1 }
  const factor = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1])
  if (factor > 0) return { type: 'factor', factor }
  if (text === 'manual') {
    throw new WiretapeError(
      'WIRETAPE_USAGE',
      `The pace 'manual' is for programs, which call step(). A command has nobody who would.`,
      { hint: "Take '--pace recorded', or step in a test: `useCassette(file, { pace: 'manual' })`." },
    )
  }
  const nearest = Number(text) > 0 ? [`${text}x`] : words
  throw new WiretapeError(
    'WIRETAPE_USAGE',
    `The pace is ${words.map(word => `'${word}'`).join(', ')} or a factor such as '2x', not '${text}'. ${didYouMean(text, nearest)}`,
  )
}
