/**
 * Waits until somebody wants the command to stop.
 *
 * Room: cli.
 */

/** The signals that ask a process to stop. */
export const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Resolves on the first signal that asks us to stop.
 *
 * Later ones change nothing: what is open is being finished, within a bounded time, and a runner such as
 * npx sends an interrupt that the terminal has sent already. `kill -9` and `wiretape recover` remain.
 */
export function untilAskedToStop(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve())
  })
}
