/**
 * One writer per cassette: a file that holds the writer's process id.
 *
 * Room: store.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { WiretapeError } from '../errors.ts'
import { isCode } from './disk-error.ts'

/** A held lock. */
export interface Lock {
  /** Lets the next writer in. Doing it twice does no harm. */
  release(): void
}

/**
 * Takes the lock at `file`, also from a process that is gone.
 *
 * @param cassette - How messages name what is locked.
 * @throws `WIRETAPE_CASSETTE_LOCKED` while another live process, or another recording in this one, holds it.
 */
export function takeLock(file: string, cassette: string): Lock {
  const path = resolve(file)
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, `${process.pid}\n`, { mode: 0o600 })
  try {
    // A link appears whole, with the id in it; a file that is created and then written does not.
    linkOver(mine, path, cassette)
  } finally {
    rmSync(mine, { force: true })
  }
  HELD.add(path)
  return {
    release() {
      // The folder may be gone, and another recorder's there by now.
      if (HELD.delete(path) && pidIn(path) === process.pid) rmSync(path, { force: true })
    },
  }
}

/** The locks of this process. */
const HELD = new Set<string>()

/**
 * The process that holds the lock at `path`; undefined where none does that is alive. In a container a
 * process often has the id that its killed predecessor had: its own id then says nothing.
 */
function holderOf(path: string): number | undefined {
  const pid = pidIn(path)
  if (pid === process.pid) return HELD.has(path) ? pid : undefined
  return Number.isSafeInteger(pid) && isAlive(pid) ? pid : undefined
}

function pidIn(path: string): number {
  return Number.parseInt(readIfThere(path) ?? '', 10)
}

function linkOver(mine: string, path: string, cassette: string): void {
  for (;;) {
    try {
      linkSync(mine, path)
      return
    } catch (cause) {
      if (!isCode(cause, 'EEXIST')) throw cause
      const holder = holderOf(path)
      if (holder !== undefined) throw locked(cassette, holder, path)
      rmSync(path, { force: true })
    }
  }
}

function locked(cassette: string, pid: number, path: string): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_CASSETTE_LOCKED',
    `The cassette ${cassette} is being recorded by process ${pid}.`,
    {
      hint: `Wait until it has finished, or record into another file. If process ${pid} is no recording, remove ${path}.`,
      details: { file: cassette, pid },
    },
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // Not ours to signal, but there.
    return isCode(cause, 'EPERM')
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return undefined
    throw cause
  }
}
