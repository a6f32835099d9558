/**
 * Loaded into the child before anything else: kills it at one of its writes, fills the disk, and looks for
 * planted secrets in every buffer that is handed to a write.
 *
 * `TEST_KILL=NUMBER:before|torn|after` counts calls that change files; with `:NAME`, those of that name.
 * `NUMBER:full` fails that call and all later ones as a full disk does; `1:short` lets each write take half. `TEST_SECRETS` is a JSON list of
 * texts; the first write that holds one ends the process with exit code 70.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...args: readonly unknown[]) => unknown

const [killNumber, killMode, killName] = (process.env['TEST_KILL'] ?? '').split(':')
const secrets = JSON.parse(process.env['TEST_SECRETS'] ?? '[]') as string[]
let calls = 0
/** The end of what was written last, by where it goes: a secret may be split over two writes. */
const tails = new Map<unknown, string>()

function kill(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('still alive')
}

/** All that a call would write, as one character per byte. */
function written(value: unknown): string {
  if (typeof value === 'string') return Buffer.from(value).toString('latin1')
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  return Array.isArray(value) ? value.map(written).join('') : ''
}

function scan(where: unknown, value: unknown): void {
  if (secrets.length === 0) return
  const text = `${tails.get(where) ?? ''}${written(value)}`
  for (const secret of secrets) {
    if (text.includes(secret)) process.exit(70)
  }
  tails.set(where, text.slice(-256))
}

/** Does the first half of a `writev`, as a process does that is killed in the middle of one. */
function tear(original: Call, args: readonly unknown[]): unknown {
  const [descriptor, buffers] = args
  if (!Array.isArray(buffers)) return 0
  const whole = Buffer.concat(buffers as Uint8Array[])
  return original(descriptor, [whole.subarray(0, Math.ceil(whole.length / 2))])
}

function diskFull(name: string): Error {
  return Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC' })
}

const methods = fs as unknown as Record<string, Call>

const WRITES = ['writeSync', 'writevSync', 'writeFileSync', 'appendFileSync']
const CHANGES = ['renameSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'linkSync', 'fsyncSync']

for (const name of [...WRITES, ...CHANGES]) {
  const original = methods[name]
  if (original === undefined) throw new Error(`no fs.${name}`)
  methods[name] = (...args) => {
    if (WRITES.includes(name)) scan(args[0], args[1])
    if (killName !== undefined && killName !== name) return original(...args)
    calls += 1
    if (killMode === 'full' && calls >= Number(killNumber)) throw diskFull(name)
    if (killMode === 'short') return name === 'writevSync' ? tear(original, args) : original(...args)
    if (String(calls) !== killNumber) return original(...args)
    if (killMode === 'torn' && name === 'writevSync') tear(original, args)
    if (killMode === 'after') original(...args)
    return kill()
  }
}

/** What nothing of ours calls, but would be a way around the scan. */
for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'createWriteStream']) {
  methods[name] = () => process.exit(71)
}
for (const name of Object.keys(fs.promises)) {
  if (/write|append|open/i.test(name)) {
    Object.assign(fs.promises, { [name]: () => process.exit(72) })
  }
}
syncBuiltinESMExports()

for (const stream of [process.stdout, process.stderr]) {
  const original: Call = stream.write.bind(stream) as unknown as Call
  Object.assign(stream, {
    write: (...args: readonly unknown[]) => {
      scan(stream, args[0])
      return original(...args)
    },
  })
}
