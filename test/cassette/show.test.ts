import { readFileSync, readdirSync } from 'node:fs'
import { it } from 'vitest'
import { cassetteText } from '../../src/cassette/parse-text.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
it('x', () => {
  for (const f of readdirSync('test/invalid')) {
    let out = 'NO ERROR'
    try { const file = f.replace('.cassette.yaml',''); parseCassette(cassetteText(readFileSync('test/invalid/'+f), { file }), { file }) } catch (e) { out = (e.code ? '' : 'UNCODED '+e.stack) + e.message }
    console.log(out + '\n')
  }
})
