/** The SDK of Go: its Live connections insist on TLS, and what is set up for Vertex AI leaves their path out. */
import { join } from 'node:path'
import { describeSdk } from '../sdk.ts'

const here = import.meta.dirname

describeSdk({
  setup: [join(here, 'setup.sh')],
  command: call => [join(here, '.cache/sdk'), call],
  calls: ['unary', 'stream', 'interactions', 'live'],
  ways: 'tunnel and base',
})
