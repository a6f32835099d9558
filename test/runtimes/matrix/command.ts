/** The command of ours that the rigs of this folder run: where it is, and what else every one of them sets. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The project's folder; the bundle of the matrix lies as deep as this file. */
export const ROOT: string = resolve(import.meta.dirname, '../../..')

/** The command. */
export const CLI: string = join(ROOT, 'dist/cli.js')

/** The variables of a Vertex AI client, as anybody would set them. */
export const VERTEX = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_LOCATION: 'europe-west4' } as const

/** Why the command can't be run; undefined where it can. */
export function notBuilt(): string | undefined {
  return existsSync(CLI) ? undefined : `the command is not built, there is no ${CLI}: npm run build`
}

/** Throws where the command is not built. */
export function expectBuilt(): void {
  const why = notBuilt()
  if (why !== undefined) throw new Error(why)
}
