/** Credentials of nobody, for a recorder that must not write them. */

/** Made of nothing, in the shapes of the real ones; put together here so that no scanner takes them for real. */
export const KEY: string = ['AI', 'zaSyD-planted0123456789abcdefghijklmn'].join('')
export const TOKEN: string = ['ya', '29.a0Planted-0123456789_abcdefghijklmnopqrstuvwxyz'].join('')
export const EPHEMERAL: string = ['auth_', 'tokens/planted0123456789abcdef'].join('')
export const COOKIE = 'SID=planted-cookie-0123456789'
export const PROJECT = 'planted-project-4711'
export const PEM: string = [
  '-----BEGIN ',
  'PRIVATE KEY-----\\nMIIEvPlanted0123456789abcdefABCDEF\\n-----END PRIVATE KEY-----\\n',
].join('')
export const HANDLE = 'CiQplantedhandle0123456789abcdefghijklmnopq'

/** What must be in no write: the telling part of each, and every longer piece of it with that. */
export const TELLING: readonly string[] = [
  KEY.slice(6),
  KEY.slice(6, 26),
  TOKEN.slice(5),
  TOKEN.slice(5, 25),
  EPHEMERAL.slice(12),
  EPHEMERAL.slice(12, 26),
  'planted-cookie',
  PROJECT,
  'MIIEvPlanted',
  HANDLE.slice(3, 30),
]
