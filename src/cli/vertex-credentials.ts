/**
 * Credentials for a client of Vertex AI while replaying: a file of the kind that every SDK reads, by which it asks the
 * replay server for its token, and the project and location that it insists on.
 *
 * Room: cli.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOKEN_PATH } from '../serve/token-answer.ts'

/** Variables to set, and what there is to say about those that were set to something else. */
export interface VertexCredentials {
  readonly variables: Readonly<Record<string, string>>
  readonly notes: readonly string[]
  /** Removes the files. */
  readonly dispose: () => void
}

const NONE: VertexCredentials = { variables: {}, notes: [], dispose: () => undefined }

/** True if the environment sets SDKs up for Vertex AI. */
export function usesVertex(env: NodeJS.ProcessEnv): boolean {
  return /^(?:true|1)$/i.test(env['GOOGLE_GENAI_USE_ENTERPRISE'] ?? env['GOOGLE_GENAI_USE_VERTEXAI'] ?? '')
}

/**
 * Makes them, where the environment or the recording speaks of Vertex AI.
 *
 * Java takes no address for tokens but an `https` one: without TLS the file is of no use to it.
 *
 * The user's own credentials are not shown to the command: nothing of them is needed. Project and location are the
 * user's where they are set; a replay compares neither.
 */
export function makeVertexCredentials(
  env: NodeJS.ProcessEnv,
  { url, vertex }: { readonly url: string; readonly vertex: boolean },
): VertexCredentials {
  if (!vertex && !usesVertex(env)) return NONE
  const folder = mkdtempSync(join(tmpdir(), 'wiretape-credentials-'))
  const file = join(folder, 'credentials.json')
  const subject = join(folder, 'subject-token')
  writeFileSync(subject, 'replayed-by-wiretape\n')
  writeFileSync(file, `${JSON.stringify(account(`${url}${TOKEN_PATH}`, subject), null, 2)}\n`)
  const own = env['GOOGLE_APPLICATION_CREDENTIALS'] ?? ''
  const note = `GOOGLE_APPLICATION_CREDENTIALS named ${own}; for the command it names a file without any credentials`
  return {
    variables: {
      GOOGLE_APPLICATION_CREDENTIALS: file,
      GOOGLE_CLOUD_PROJECT: env['GOOGLE_CLOUD_PROJECT'] || 'replayed-by-wiretape',
      GOOGLE_CLOUD_LOCATION: env['GOOGLE_CLOUD_LOCATION'] || 'us-central1',
    },
    notes: own === '' ? [] : [note],
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Google's file format for the credentials of others (google-auth `external_account.py`). */
function account(tokenUrl: string, subject: string): unknown {
  return {
    type: 'external_account',
    audience:
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/wiretape/providers/wiretape',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: tokenUrl,
    credential_source: { file: subject },
  }
}
