/** The SDK of Java: its Live connections insist on TLS, its trust store and its proxy are the JVM's own. */
import { join } from 'node:path'
import { describeSdk } from '../sdk.ts'

const here = import.meta.dirname
const classes = `${join(here, '.cache/sdk/jars/*')}:${join(here, '.cache/sdk/classes')}`

describeSdk({
  setup: [join(here, 'setup.sh')],
  command: call => ['java', '-cp', classes, 'Sdk', call],
  calls: ['unary', 'stream', 'interactions', 'live'],
  ways: 'tunnel and base',
})
