/**
 * `wiretape recover`: a cassette from what a recorder that was killed has left behind.
 *
 * Room: cli.
 */
import { recover } from '../store/finish.ts'
import { painter, type Surroundings } from './output.ts'
import { recordReport } from './report.ts'
import { BY } from './version.ts'

/** Recovers. Returns the exit code. Throws `WIRETAPE_USAGE` where there is nothing to recover. */
export async function recoverFile(file: string, { stdout, env }: Surroundings): Promise<0> {
  const summary = await recover(file, { by: BY })
  stdout.write(recordReport('Recovered', summary, painter(stdout, env)))
  return 0
}
