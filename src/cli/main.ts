#!/usr/bin/env node
/**
 * What the shell starts: looks at the Node version, then loads the rest.
 *
 * It imports nothing at its top and keeps to syntax that a Node from years ago reads, so that such a Node
 * is told what is wrong in one line and doesn't die of a syntax error in a file it can't read.
 *
 * Room: cli.
 */
const [major, minor] = process.versions.node.split('.').map(Number)

if (Number(major) < 20 || (Number(major) === 20 && Number(minor) < 19)) {
  process.stderr.write(`wiretape needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  let lost: Error | undefined
  // A recording goes on whatever becomes of what it says. That whoever read along has left (EPIPE), or the
  // terminal (EIO), is their affair; that it could not be written (a full disk) is told at the end.
  const survive = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') lost = error
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', survive)
  void import('./run.ts')
    .then(({ run }) => run(process.argv.slice(2)))
    .then(code => {
      process.exitCode = lost !== undefined && code === 0 ? 1 : code
      if (lost !== undefined) process.stderr.write(`wiretape: not all output was written: ${lost.message}\n`)
    })
}
