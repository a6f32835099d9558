/** Every runtime that cassettes are played to, in each of its versions. */
import { goRuntimes } from './registry-go.ts'
import { javaRuntimes } from './registry-java.ts'
import { javascriptRuntimes } from './registry-javascript.ts'
import { pythonRuntimes } from './registry-python.ts'
import type { Scenario } from '../invariants/run.ts'

/** A runtime in one version. */
export interface Runtime {
  /** E.g. `adk-python`. */
  readonly name: string
  /** As its registry knows it, e.g. `google-adk`. */
  readonly package: string
  readonly version: string
  /** The folder of its program. */
  readonly language: 'javascript' | 'python' | 'java' | 'go'
  readonly apis: readonly Scenario['api'][]
  readonly agents: readonly Scenario['agent'][]
  /** What the names of the cassettes that it is played begin with; undefined: all that it can act. */
  readonly cases?: readonly string[]
  /** Installs it; what is there, stays. */
  readonly setup: readonly string[]
  /** The program; the scenario's file comes last. */
  readonly command: readonly string[]
  /** Files of ours that a run depends on, beside the cassette and the command. */
  readonly sources: readonly string[]
  /** Whether `npm run test:runtimes` plays to it, and not `--all` alone. */
  readonly subset: boolean
  /** Why it can't be played to, where it can't: then nothing of it is run. */
  readonly refused?: string
}

/** What the row of a runtime says by itself; the rest follows from its language. */
export type Row = Pick<
  Runtime,
  'name' | 'package' | 'version' | 'apis' | 'agents' | 'cases' | 'subset' | 'refused'
>

/** All of them, newest version of each first. */
export const RUNTIMES: readonly Runtime[] = [
  ...javascriptRuntimes,
  ...pythonRuntimes,
  ...javaRuntimes,
  ...goRuntimes,
]

/** `NAME@VERSION`, as it is written everywhere. */
export function labelOf({ name, version }: Pick<Runtime, 'name' | 'version'>): string {
  return `${name}@${version}`
}

/** Those that a word means: `NAME` all versions, `NAME@VERSION` one. */
export function runtimesNamed(word: string): readonly Runtime[] {
  return RUNTIMES.filter(runtime => runtime.name === word || labelOf(runtime) === word)
}

/** Whether a scenario is one that this runtime can act at all. */
export function canAct(runtime: Runtime, scenario: Scenario): boolean {
  return runtime.apis.includes(scenario.api) && runtime.agents.includes(scenario.agent)
}

/** Whether a scenario is played to this runtime. */
export function isPlayed(runtime: Runtime, scenario: Scenario): boolean {
  const { cases = [''], refused } = runtime
  const isMeant = cases.some(beginning => scenario.name.startsWith(beginning))
  return refused === undefined && isMeant && canAct(runtime, scenario)
}
