/** A machine that has no network, no key, no project and no authority, whatever this one has. */

/** Runs the command behind it where there is loopback and nothing else. */
export const OFFLINE: readonly string[] = [
  'unshare',
  ...(process.getuid?.() === 0 ? ['--net'] : ['--net', '--user', '--map-root-user']),
  'sh',
  '-c',
  'ip link set lo up; exec "$@"',
  'sh',
]

/** The variables of this machine that say nothing of services, with a folder of its own to be at home in. */
export function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:GOOGLE|GEMINI|GCLOUD|CLOUDSDK|ADK|JAVA_TOOL)_|_CA_|CERT|PROXY$/i.test(name),
  )
  // In whatever tongue this machine speaks, a runtime that asks for it reads and writes UTF-8.
  const own = { XDG_DATA_HOME: folder, HOME: folder, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' }
  return { ...Object.fromEntries(kept), ...own }
}

/** A script that sets something up, so that of two processes that want the same the second waits for the first. */
export function oneAtATime(words: readonly string[]): readonly string[] {
  const [script] = words
  return script?.includes('/') === true ? ['flock', script, ...words] : words
}
