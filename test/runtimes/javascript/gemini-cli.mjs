/**
 * Gemini CLI, `gemini`, as a script uses it: a prompt without a terminal for each turn, the later ones in the session of
 * the first, its home a folder of its own. Its events are those that it prints; where it keeps its sessions is its own
 * matter.
 *
 * Usage: node --experimental-import-meta-resolve gemini-cli.mjs gemini-cli@VERSION SCENARIO.json
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { HTTP_SILENCE_MS, patiently } from './patience.mjs'
import { installed, main, versionFolder } from './program.mjs'
import { startTranscript } from './transcript.mjs'

const PROGRAM = join(versionFolder, 'node_modules/@google/gemini-cli/bundle/gemini.js')
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  tools: { useRipgrep: false },
}
const runtime = installed('@google/gemini-cli')

/** What the command says at its end, of what went wrong. */
class CommandFailed extends Error {}

/** A home with settings, and in it a folder to work in. */
function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'wiretape-gemini-cli-'))
  const work = join(home, 'work')
  mkdirSync(join(home, '.gemini'))
  mkdirSync(work)
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(SETTINGS))
  return { home, work }
}

/** Runs the command for one turn. */
async function ask(prompt, { model, isFirst, home, work, tell }) {
  const session = isFirst ? [] : ['--resume', 'latest']
  const words = [
    '--skip-trust',
    '--output-format',
    'stream-json',
    '--model',
    model,
    ...session,
    '--prompt',
    prompt,
  ]
  const command = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: work,
    // One process: what we end is all of it.
    env: { ...process.env, HOME: home, GEMINI_CLI_NO_RELAUNCH: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise(resolve => command.once('close', resolve))
  const said = text(command.stderr)
  try {
    let failure
    for await (const line of patiently(HTTP_SILENCE_MS, createInterface(command.stdout))) {
      failure = hear(JSON.parse(line), tell) ?? failure
    }
    const code = await ended
    if (failure !== undefined) throw new CommandFailed(failure)
    if (code !== 0) throw new CommandFailed(`exit code ${code}: ${(await said).trim()}`)
  } finally {
    command.kill()
  }
}

/** Tells of one line. Returns what went wrong, where the line says so. */
function hear(line, tell) {
  const {
    type,
    role,
    content,
    tool_id: id,
    tool_name: name,
    parameters: args,
    status,
    output,
    error,
    message,
  } = line
  if (type === 'message' && role === 'assistant') tell({ author: 'model', parts: [{ text: content }] })
  if (type === 'tool_use') tell({ author: 'model', parts: [{ functionCall: { id, name, args } }] })
  if (type === 'tool_result') {
    tell({ author: 'user', parts: [{ functionResponse: { id, name, response: { status, output, error } } }] })
  }
  if (type === 'error') tell({ author: 'model', errorCode: line.severity, errorMessage: message })
  return type === 'result' && status !== 'success' ? (error?.message ?? status) : undefined
}

/** What a script can't have it do; undefined: it can. */
function unsupported({ api, agent, backend, streaming, tools, conversations }) {
  if (api !== 'generate-content' || !streaming) return 'It asks by streamGenerateContent alone.'
  if (agent !== 'single') return 'It is one agent, with prompts and tools of its own.'
  if (backend === 'vertex') return 'The program sets it up for the Gemini API.'
  if (tools.length > 0)
    return 'Tools that are added to it get a prefix to their names; the recorded calls have none.'
  if (conversations.flat().some(({ parts }) => parts.some(part => part.text === undefined))) {
    return 'A prompt is text.'
  }
  return undefined
}

await main(async scenario => {
  const missing = unsupported(scenario)
  if (missing !== undefined) return { runtime, unsupported: missing }
  const transcript = startTranscript()
  const { home, work } = makeHome()
  try {
    for (const [number, { parts }] of scenario.conversations[0].entries()) {
      const prompt = parts.map(part => part.text).join('')
      const model = scenario.models?.[number] ?? scenario.model
      await transcript.turn(tell => ask(prompt, { model, isFirst: number === 0, home, work, tell }))
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  return transcript.done({ runtime, session: null, toolRuns: [] })
})
