/**
 * What every program of the matrix begins and ends with: the version of the runtime that it is to use, the scenario
 * that it acts, and its transcript on standard output.
 *
 * Usage: node --experimental-import-meta-resolve PROGRAM NAME@VERSION … SCENARIO.json
 *
 * The flag lets a program that stands here import from the folder of a version, as if it stood there.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { raiseStray } from './patience.mjs'

const [version = '', ...words] = process.argv.slice(2)
const folder = new URL(`versions/${version}/`, import.meta.url)

/** What is said besides. */
export const options = words.slice(0, -1)

/** The folder of the version. */
export const versionFolder = fileURLToPath(folder)

/** A module of the version's packages. */
export function imported(specifier) {
  return import(import.meta.resolve(specifier, folder))
}

/** The versions of these packages as they are installed. */
export function installed(...packages) {
  const versionOf = name =>
    JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, folder))).version
  return Object.fromEntries(packages.map(name => [name, versionOf(name)]))
}

/**
 * Acts the scenario, prints the transcript and ends the process, whatever the runtime still has open.
 *
 * Standard output is the transcript's alone: what a library logs goes to standard error.
 */
export async function main(act) {
  for (const method of ['log', 'info', 'debug']) console[method] = console.error
  process.on('unhandledRejection', raiseStray)
  process.on('uncaughtException', raiseStray)
  const scenario = JSON.parse(readFileSync(words.at(-1), 'utf8'))
  const transcript = await act(scenario)
  process.stdout.write(`${JSON.stringify(transcript, undefined, 2)}\n`, () => process.exit(0))
}
