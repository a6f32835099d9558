/** A message without a byte was once shown as a line without a word. */
import { expect, it } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import { showCassette } from '../../src/view/timeline.ts'

const CASSETTE = `cassette: 1
---
exchange: live
request:
  url: wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent
messages:
  - client: ""
  - server: ""
end: {}
`

it('shows that a message is empty', () => {
  const cassette = parseCassette(CASSETTE, { file: 'empty.cassette.yaml' })
  const shown = showCassette(cassette, { width: 80, detail: 'short', paint: (_tone, part) => part })
  expect(shown.match(/\(empty\)/g)).toHaveLength(2)
})
