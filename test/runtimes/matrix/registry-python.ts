/** The runtimes of Python: each version in an environment of its own, every package pinned. */
import { join } from 'node:path'
import { ROOT } from './command.ts'
import { programFiles } from './registry-files.ts'
import type { Row, Runtime } from './registry.ts'

const FOLDER = join(ROOT, 'test/runtimes/python')

interface PythonRow extends Row {
  /** Its name in `.venv/` and in `constraints/`. */
  readonly environment: string
  /** The program and its options. */
  readonly program: readonly [string, ...string[]]
}

const ALL_APIS = ['generate-content', 'interactions', 'live'] as const

/** google-adk 2: coordinators and specialists from the first, agents that the service runs from 2.5.0 on. */
function adk(version: string, ...managed: readonly 'managed'[]): PythonRow {
  return {
    name: 'adk-python',
    package: 'google-adk',
    version,
    apis: ALL_APIS,
    agents: ['single', 'delegating', ...managed],
    subset: version === '2.13.0',
    environment: `adk-${version}`,
    program: ['adk.py'],
  }
}

function genai(version: string): PythonRow {
  return {
    name: 'genai-python',
    package: 'google-genai',
    version,
    apis: ALL_APIS,
    agents: ['single', 'managed'],
    subset: version === '3.6.1',
    environment: `genai-${version}`,
    program: ['genai.py'],
  }
}

/** The same SDK, which calls the functions by itself. */
function automatic(version: string): PythonRow {
  return {
    ...genai(version),
    name: 'genai-python-afc',
    apis: ['generate-content'],
    agents: ['single'],
    cases: ['call-', 'signature-'],
    subset: false,
    program: ['genai.py', '--afc'],
  }
}

const ROWS: readonly PythonRow[] = [
  adk('2.13.0', 'managed'),
  // Not every version is played everything: these are here for what changed between them.
  { ...adk('2.9.0', 'managed'), cases: ['interactions-'] },
  adk('2.5.0', 'managed'),
  { ...adk('2.2.0'), cases: ['chat-wrapper-', 'run-live-'] },
  // Its Interactions API has the events that were before the steps.
  { ...adk('2.0.0'), apis: ['generate-content', 'live'] },
  {
    ...adk('1.23.0'),
    apis: ['generate-content'],
    agents: ['single'],
    cases: ['call-', 'signature-', 'sse-'],
  },
  genai('3.6.1'),
  { ...genai('2.25.0'), cases: ['interactions-', 'sse-'] },
  automatic('3.6.1'),
  {
    name: 'pydantic-ai',
    package: 'pydantic-ai-slim',
    version: '2.66.0',
    apis: ['generate-content', 'live'],
    agents: ['single'],
    subset: false,
    environment: 'pydantic-ai-2.66.0',
    program: ['pydantic_ai_app.py'],
  },
  {
    name: 'langchain',
    package: 'langchain-google-genai',
    version: '4.4.3',
    apis: ['generate-content'],
    agents: ['single'],
    subset: false,
    environment: 'langchain-4.4.3',
    program: ['langchain_app.py'],
  },
]

/** All of them. */
export const pythonRuntimes: readonly Runtime[] = ROWS.map(({ environment, program, ...row }) => {
  const [file, ...options] = program
  return {
    ...row,
    language: 'python',
    setup: [join(FOLDER, 'setup.sh'), environment],
    command: [join(FOLDER, '.venv', environment, 'bin/python'), join(FOLDER, file), ...options],
    sources: [...programFiles(join(FOLDER, file)), join(FOLDER, 'constraints', `${environment}.txt`)],
  }
})
