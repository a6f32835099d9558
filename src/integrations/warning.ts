/**
 * What is said on the process's own channel for warnings: once, whoever asks.
 *
 * Room: integrations.
 */
const warned = new Set<string>()

/** Warns, unless it was said before. Node prints it on stderr; `--no-warnings` hides it. */
export function warnOnce(note: string): void {
  if (warned.has(note)) return
  warned.add(note)
  process.emitWarning(note, 'WiretapeWarning')
}
