/**
 * Where the system wants a program to keep what it made for one user.
 *
 * Room: store.
 */
import { isAbsolute, join } from 'node:path'

/** What the answer depends on: `process.env`, `process.platform` and `os.homedir()` have it. */
export interface UserPlace {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  readonly home: string
}

/**
 * The folder for our data: `$XDG_DATA_HOME/wiretape` or `~/.local/share/wiretape` (XDG Base Directory
 * Specification 0.8, which has relative paths ignored), on macOS `~/Library/Application Support/wiretape`, on
 * Windows `%LOCALAPPDATA%\wiretape`. It may not be there yet.
 */
export function dataFolder({ env, platform, home }: UserPlace): string {
  const named = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_DATA_HOME']
  if (named !== undefined && isAbsolute(named)) return join(named, 'wiretape')
  if (platform === 'win32') return join(home, 'AppData', 'Local', 'wiretape')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'wiretape')
  return join(home, '.local', 'share', 'wiretape')
}
