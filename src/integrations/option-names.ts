/**
 * The options of what a program or a test calls, by name.
 *
 * Room: integrations.
 */
import { checkOptions, type OptionNames } from '../replay/option-names.ts'
import type { RecordOptions } from './record-server.ts'
import type { SaveOptions } from './save-cassette.ts'
import type { UseCassetteOptions } from './tape.ts'
import type { TestCassetteOptions } from './test-end.ts'

const USE: OptionNames<UseCassetteOptions> = {
  mode: true,
  match: true,
  ignore: true,
  allow: true,
  pace: true,
  api: true,
  upstream: true,
  vertexUpstream: true,
  mediaQuietMs: true,
  stallMs: true,
  note: true,
}

const TEST: OptionNames<TestCassetteOptions> = { file: true, ...USE }

const RECORD: OptionNames<RecordOptions> = {
  upstream: true,
  vertexUpstream: true,
  port: true,
  vertexPort: true,
  existing: true,
  note: true,
  tls: true,
  onNote: true,
  onExchange: true,
}

const SAVE: OptionNames<SaveOptions> = { existing: true }

/** Throws `WIRETAPE_USAGE` for an option that `useCassette` does not have. */
export function checkUseOptions(options: UseCassetteOptions): void {
  checkOptions('`useCassette`', options, USE)
}

/** Throws `WIRETAPE_USAGE` for an option that the cassette of a test does not have. */
export function checkTestOptions(options: TestCassetteOptions): void {
  checkOptions('The cassette of a test', options, TEST)
}

/** Throws `WIRETAPE_USAGE` for an option that `createRecordServer` does not have. */
export function checkRecordOptions(options: RecordOptions): void {
  checkOptions('`createRecordServer`', options, RECORD)
}

/** Throws `WIRETAPE_USAGE` for an option that `saveCassette` does not have. */
export function checkSaveOptions(options: SaveOptions): void {
  checkOptions('`saveCassette`', options, SAVE)
}
