/** Files that a runtime's runs depend on. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The programs in a folder, by what their names end with; tests are none. */
export function programsIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith(ending) && !name.includes('.test.'))
    .toSorted()
    .map(name => join(folder, name))
}
