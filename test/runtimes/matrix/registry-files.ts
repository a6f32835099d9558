/** Files that a runtime's runs depend on: its program, and what that imports of the files beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

const IMPORTS: Readonly<Record<string, RegExp>> = {
  '.mjs': /(?:from|import\()\s*'\.\/([\w-]+)\.mjs'/g,
  '.py': /^\s*(?:from|import) (\w+)/gm,
}

/** The program, and every file beside it that it needs. */
export function programFiles(program: string): readonly string[] {
  const found = new Set([program])
  for (const file of found) {
    const ending = extname(file)
    const pattern = IMPORTS[ending]
    if (pattern === undefined || !existsSync(file)) continue
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(pattern)) {
      const beside = join(dirname(file), `${name}${ending}`)
      if (existsSync(beside)) found.add(beside)
    }
  }
  return [...found]
}

/** The files in a folder whose names are such. */
export function filesNamed(folder: string, isSuch: (name: string) => boolean): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isSuch)
    .toSorted()
    .map(name => join(folder, name))
}
