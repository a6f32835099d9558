/** The runtimes of Go: each version a module of its own. */
import { join } from 'node:path'
import { ROOT } from './command.ts'
import { filesNamed } from './registry-files.ts'
import type { Row, Runtime } from './registry.ts'

const FOLDER = join(ROOT, 'test/runtimes/go')

interface GoRow extends Row {
  /** Its name in `.cache/`. */
  readonly built: string
  /** The folders of its program; the later ones have what is other in this version. */
  readonly folders: readonly string[]
}

/** A version of adk-go before 2, which has no agents that delegate; here for what the names begin with. */
function firstMajor(version: string, ...cases: readonly string[]): GoRow {
  return {
    name: 'adk-go',
    package: 'google.golang.org/adk',
    version,
    apis: ['generate-content', 'live'],
    agents: ['single'],
    cases,
    subset: false,
    built: `adk-${version}`,
    folders: ['adk', `versions/adk-${version}`],
  }
}

const ROWS: readonly GoRow[] = [
  {
    name: 'genai-go',
    package: 'google.golang.org/genai',
    version: '1.77.0',
    apis: ['generate-content', 'interactions', 'live'],
    agents: ['single', 'managed'],
    subset: true,
    built: 'genai-1.77.0',
    folders: ['genai'],
  },
  {
    name: 'adk-go',
    package: 'google.golang.org/adk/v2',
    version: '2.2.0',
    apis: ['generate-content', 'live'],
    agents: ['single', 'delegating'],
    subset: true,
    built: 'adk-2.2.0',
    folders: ['adk'],
  },
  {
    name: 'adk-go',
    package: 'google.golang.org/adk/v2',
    version: '2.5.0',
    apis: [],
    agents: ['single', 'delegating'],
    subset: false,
    refused: 'the module proxy does not serve it, nor 2.3.0 and 2.4.0',
    built: 'adk-2.5.0',
    folders: ['adk'],
  },
  firstMajor('1.4.0', 'call-', 'signature-', 'sse-'),
  firstMajor('1.3.0', 'call-then', 'sse-usage'),
]

/** All of them. */
export const goRuntimes: readonly Runtime[] = ROWS.map(({ built, folders, ...row }) => ({
  ...row,
  language: 'go',
  setup: [join(FOLDER, 'setup.sh'), built],
  command: [join(FOLDER, '.cache', built)],
  sources: ['matrix', ...folders].flatMap(folder =>
    filesNamed(join(FOLDER, folder), name => /\.(?:go|mod|sum)$/.test(name)),
  ),
}))
