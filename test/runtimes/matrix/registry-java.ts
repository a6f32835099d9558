/** The runtimes of Java: each version with its own class path. */
import { join } from 'node:path'
import { ROOT } from './command.ts'
import { filesNamed } from './registry-files.ts'
import type { Row, Runtime } from './registry.ts'

const FOLDER = join(ROOT, 'test/runtimes/java')

/** What the programs of all runtimes need. */
const SHARED = new Set(['Arrivals.java', 'Scenario.java', 'Toolbox.java', 'Transcript.java'])

interface JavaRow extends Row {
  /** Its name in `.cache/`. */
  readonly built: string
  readonly main: string
}

function adk(version: string): JavaRow {
  return {
    name: 'adk-java',
    package: 'com.google.adk:google-adk',
    version,
    apis: ['generate-content', 'live'],
    agents: ['single'],
    subset: version === '1.8.0',
    built: `adk-${version}`,
    main: 'Adk',
  }
}

const ROWS: readonly JavaRow[] = [
  adk('1.8.0'),
  // Here for what changed after it: calls in parallel, signatures in streams.
  { ...adk('1.6.0'), cases: ['call-', 'live-call', 'run-live-', 'signature-'] },
  { ...adk('1.9.0'), apis: [], refused: 'Maven Central has no newer one than 1.8.0' },
  {
    name: 'genai-java',
    package: 'com.google.genai:google-genai',
    version: '2.3.0',
    apis: ['generate-content', 'interactions', 'live'],
    agents: ['single', 'managed'],
    subset: true,
    built: 'genai-2.3.0',
    main: 'Genai',
  },
]

/** All of them. */
export const javaRuntimes: readonly Runtime[] = ROWS.map(({ built, main, ...row }) => {
  const folder = join(FOLDER, '.cache', built)
  return {
    ...row,
    language: 'java',
    setup: [join(FOLDER, 'setup.sh'), built],
    command: ['java', '-cp', `${folder}/jars/*:${folder}/classes`, main],
    sources: [
      ...filesNamed(FOLDER, name => SHARED.has(name) || (name.startsWith(main) && name.endsWith('.java'))),
      join(FOLDER, 'versions', built, 'pom.xml'),
    ],
  }
})
