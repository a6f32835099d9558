/**
 * All that a user's command needs with `--tls`, beside the base URLs and the keys.
 *
 * Room: cli.
 */
import type { Addresses } from './environment.ts'
import { proxyVariables } from './proxy-variables.ts'
import { makeTrust } from './trust.ts'
import { usesVertex } from './vertex-credentials.ts'

/** Where the server listens, and what its clients are to trust. */
export interface SecureAddresses extends Addresses {
  readonly caFile: string
}

/** The variables that a command runs with. */
export interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv
  /** What the user has set and the command does not get as it is, and what could not be done for it. */
  readonly notes: readonly string[]
  /** Removes what was made for the command. */
  readonly dispose: () => void
}

/**
 * Adds to an environment what leads through the tunnel, and what has our authority trusted.
 *
 * @param user - What the user has set.
 * @param base - The same, with base URLs and keys.
 * @throws `WIRETAPE_USAGE` where a file that the user's variables name can't be read.
 */
export async function secureEnvironment(
  user: NodeJS.ProcessEnv,
  base: NodeJS.ProcessEnv,
  { url, caFile }: SecureAddresses,
  through: 'record' | 'replay',
): Promise<CommandEnvironment> {
  const trust = await makeTrust(user, { url, caFile }, 'run')
  const proxy = proxyVariables(user, url, through)
  return {
    env: { ...withoutGarbledBase(base), ...proxy.variables, ...trust.variables },
    notes: [...proxy.notes, ...trust.notes],
    dispose: trust.dispose,
  }
}

/**
 * A Python client that is set up for Vertex AI by the environment alone takes the other API's base URL, and then
 * leaves out the path (google-genai `client.py`, `_api_client.py`). Without it, it comes through the tunnel.
 */
function withoutGarbledBase(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!usesVertex(env)) return env
  const { GOOGLE_GEMINI_BASE_URL: _, ...rest } = env
  return rest
}
