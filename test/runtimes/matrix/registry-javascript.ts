/** The runtimes of JavaScript: each version in a folder of its own, with its lock file. */
import { dirname, join } from 'node:path'
import { ROOT } from './command.ts'
import { programFiles } from './registry-files.ts'
import type { Row, Runtime } from './registry.ts'

const FOLDER = join(ROOT, 'test/runtimes/javascript')
/** So that one program imports the packages of any version. */
const RESOLVE = '--experimental-import-meta-resolve'

interface JavaScriptRow extends Row {
  /** Its folder in `versions/`. */
  readonly installed: string
  /** The program and its options. */
  readonly program: readonly [string, ...string[]]
}

function genai(version: string): JavaScriptRow {
  return {
    name: 'genai-js',
    package: '@google/genai',
    version,
    apis: ['generate-content', 'interactions', 'live'],
    agents: ['single', 'managed'],
    subset: version === '3.3.0',
    installed: `genai-js@${version}`,
    program: ['genai.mjs'],
  }
}

function adk(version: string): JavaScriptRow {
  return {
    name: 'adk-js',
    package: '@google/adk',
    version,
    apis: ['generate-content', 'interactions', 'live'],
    agents: ['single'],
    subset: version === '2.0.0',
    installed: `adk-js@${version}`,
    program: ['adk.mjs'],
  }
}

/** The same with its flag for progressive streaming on. */
function progressive(version: string): JavaScriptRow {
  return {
    ...adk(version),
    name: 'adk-js-progressive',
    apis: ['generate-content'],
    cases: ['call-', 'signature-'],
    subset: false,
    program: ['adk.mjs', '--progressive'],
  }
}

function aiSdk(version: string, ...apis: Runtime['apis']): JavaScriptRow {
  return {
    name: 'ai-sdk',
    package: '@ai-sdk/google',
    version,
    apis,
    agents: ['single'],
    subset: version === '4.0.121',
    installed: `ai-sdk@${version}`,
    program: ['ai-sdk.mjs'],
  }
}

const ROWS: readonly JavaScriptRow[] = [
  genai('3.3.0'),
  genai('2.32.0'),
  // The last before an error in mid-stream was raised.
  { ...genai('2.29.1'), cases: ['sse-'] },
  // The Interactions API of this one has the events that were before the steps.
  { ...genai('1.52.0'), apis: ['generate-content', 'live'] },
  adk('2.0.0'),
  // It has no `runLive`.
  { ...adk('1.6.0'), apis: ['generate-content', 'interactions'] },
  progressive('2.0.0'),
  aiSdk('4.0.121', 'generate-content', 'interactions'),
  aiSdk('3.0.70', 'generate-content'),
  {
    name: 'gemini-cli',
    package: '@google/gemini-cli',
    version: '0.61.0',
    apis: ['generate-content'],
    agents: ['single'],
    subset: false,
    installed: 'gemini-cli@0.61.0',
    program: ['gemini-cli.mjs'],
  },
  {
    ...genai('3.3.0'),
    name: 'chromium',
    package: '@google/genai/web',
    // What is different in a browser: the streams and the sockets.
    cases: ['interactions-', 'run-live-', 'sse-'],
    subset: false,
    program: ['../chromium/chromium.mjs'],
  },
]

/** All of them. */
export const javascriptRuntimes: readonly Runtime[] = ROWS.map(({ installed, program, ...row }) => {
  const [file, ...options] = program
  const versions = join(FOLDER, 'versions', installed)
  return {
    ...row,
    language: 'javascript',
    setup: [join(FOLDER, dirname(file), 'setup.sh'), installed],
    command: [process.execPath, RESOLVE, join(FOLDER, file), installed, ...options],
    sources: [...programFiles(join(FOLDER, file)), join(versions, 'package-lock.json')],
  }
})
