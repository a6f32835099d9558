/** The SDK of JavaScript knows no proxy: base URLs are what it is reached by. */
import { join } from 'node:path'
import { describeSdk } from '../sdk.ts'

describeSdk({
  setup: ['true'],
  command: call => [process.execPath, join(import.meta.dirname, 'sdk.mjs'), call],
  calls: ['unary', 'stream', 'interactions', 'live'],
  ways: 'base',
})
