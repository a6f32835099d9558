/** A small project of a user's, with this package installed as it is published, and its tests run by real runners. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { emptyFolder } from '../cli/spawned.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A folder that tests can be run in. */
export interface Project {
  readonly folder: string
  write(path: string, text: string): void
  read(path: string): string
}

/** How a runner ended. */
export interface Ran {
  readonly code: number | null
  readonly output: string
}

/** What became of each test: undefined where it passed, else all that its failure says. */
export type Outcomes = Readonly<Record<string, string | undefined>>

/** Makes a project with these files. It is gone after the test. */
export function createProject(files: Readonly<Record<string, string>>): Project {
  const folder = emptyFolder()
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'wiretape'), { recursive: true })
  for (const part of ['dist', 'package.json']) {
    cpSync(join(ROOT, part), join(modules, 'wiretape', part), { recursive: true })
  }
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  const project: Project = {
    folder,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    read: path => readFileSync(join(folder, path), 'utf8'),
  }
  project.write('package.json', '{ "type": "module" }')
  for (const [path, text] of Object.entries(files)) project.write(path, text)
  return project
}

/** An environment without what this machine's own runner has put into it; `env` comes on top. */
function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_|TEST$|CI$|DEV$|PROD$|MODE$|GOOGLE_|GEMINI_|WIRETAPE_)/.test(name),
  )
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...env }
}

function run({ folder }: Project, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  }
  return new Promise(done => child.once('close', code => done({ code, output })))
}

/** Runs the project's tests with Vitest. */
export async function runVitest(
  project: Project,
  env: NodeJS.ProcessEnv = {},
): Promise<Ran & { readonly outcomes: Outcomes }> {
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json']
  const ran = await run(project, [...words, '--outputFile.json=results.json'], env)
  const { testResults } = JSON.parse(project.read('results.json')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const outcomes = results.map(({ title, status, failureMessages }) => [
    title,
    status === 'passed' ? undefined : failureMessages.join('\n'),
  ])
  return { ...ran, outcomes: Object.fromEntries(outcomes) as Outcomes }
}

/** Runs the project's tests with `node:test`, and gives what this reporter makes of them. */
export function runNodeReporter(
  project: Project,
  reporter: 'spec' | 'tap',
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const files = readdirSync(project.folder).filter(name => /\.test\.m?js$/.test(name))
  return run(project, ['--test', `--test-reporter=${reporter}`, ...files], env)
}

/** Runs the project's tests with `node:test`. */
export async function runNodeTest(
  project: Project,
  env: NodeJS.ProcessEnv = {},
): Promise<Ran & { readonly outcomes: Outcomes }> {
  const ran = await runNodeReporter(project, 'spec', env)
  const [before = '', failing = ''] = ran.output.split('failing tests:')
  const passed = [...before.matchAll(/^✔ (.+) \(.*ms\)$/gm)].map(([, title = '']) => [title, undefined])
  const failed = failing
    .split(/^✖ /m)
    .slice(1)
    .map(text => [/^(.+) \(.*ms\)$/m.exec(text)?.[1], text])
  return { ...ran, outcomes: Object.fromEntries([...passed, ...failed]) as Outcomes }
}
