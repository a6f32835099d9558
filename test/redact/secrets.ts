/** Secrets made up for tests: the shapes are real, the values are not. Assembled, so that no scanner takes them for real. */

/** A string as latin-1 bytes, as the redactor sees a body. */
export function bytes(content: string): Uint8Array {
  return Uint8Array.from(content, character => character.charCodeAt(0))
}

/** Bytes as a string, one character each. */
export function text(data: Uint8Array): string {
  let whole = ''
  for (const byte of data) whole += String.fromCharCode(byte)
  return whole
}

const letters = 'q7Rk2mXw9ZbT4vNc8LsH3dPf6JgY1aKe5'

const glued = (...parts: readonly string[]): string => parts.join('')

/** One of each shape. */
export const API_KEY: string = glued('AI', 'zaSy', letters)
export const AUTH_KEY: string = glued('A', 'Q.Ab8RN6', letters, letters)
export const ACCESS_TOKEN: string = glued('ya', `29.a0${letters}-${letters}.${letters}`)
export const REFRESH_TOKEN: string = glued('1', `//0g${letters}_${letters}`)
export const CLIENT_SECRET: string = glued('GOC', 'SPX-', letters.slice(0, 28))
export const EPHEMERAL: string = glued('auth_', 'tokens/', letters)
export const JWT: string = glued('ey', 'JhbGciOiJSUzI1NiJ9.ey', `JzdWIiOiI${letters}.${letters}_-${letters}`)
export const PEM_BODY: string = glued('MIIEvQIBADANBg', letters, '+/', letters)
export const PEM_BEGIN: string = glued('-----BEGIN PRI', 'VATE KEY-----')
export const PEM_END: string = glued('-----END PRI', 'VATE KEY-----')
export const PEM: string = `${PEM_BEGIN}\n${PEM_BODY}\n${PEM_BODY}==\n${PEM_END}\n`
export const HANDLE: string = glued('Cg', letters, letters, '==')

/** A service-account file as Google writes it. */
export const SERVICE_ACCOUNT: string = JSON.stringify(
  {
    type: 'service_account',
    project_id: 'sample-project',
    private_key_id: '0123456789abcdef0123456789abcdef01234567',
    private_key: PEM,
    client_email: 'robot@sample-project.iam.gserviceaccount.com',
  },
  null,
  2,
)
