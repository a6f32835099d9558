/** Replaying in this process leaves the process as it was. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const cassette = resolve(import.meta.dirname, '../../cassettes/streamed-answer.cassette.yaml')

/** What is global, by name. What is made when it is first looked at is made by looking. */
function globals(): Map<string | symbol, unknown> {
  return new Map(Reflect.ownKeys(globalThis).map(key => [key, Reflect.get(globalThis, key)]))
}

it('changes no global: not by being imported, not by a carrier of any kind, not by a replay', async () => {
  // Node makes some of its own at the first look.
  globals()
  const before = globals()
  await import('../../src/index.ts')
  const [
    { hold },
    { createInProcessFetch },
    sockets,
    { createInProcessWebSocket },
    { createReplayDispatcher },
  ] = await Promise.all([
    import('./replays.ts'),
    import('../../src/serve/in-process-fetch.ts'),
    import('../../src/serve/in-process-socket.ts'),
    import('../../src/serve/in-process-web-socket.ts'),
    import('../../src/serve/replay-dispatcher.ts'),
  ])
  const replay = await hold([cassette])
  const inProcess = createInProcessFetch(replay.session)
  const InProcessWebSocket = createInProcessWebSocket(replay.session)
  expect(sockets.createSocketFactory(replay.session)).toBeDefined()
  const dispatcher = createReplayDispatcher(replay.session)
  expect((await inProcess('https://example.com/v1/nothing')).status).toBe(400)
  const socket = new InProcessWebSocket('wss://example.com/nothing')
  await new Promise(done => socket.addEventListener('close', done))
  await dispatcher.close()
  await replay.close()

  const after = globals()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    key => before.has(key) !== after.has(key) || !Object.is(before.get(key), after.get(key)),
  )
  // undici keeps the dispatcher that Node's own fetch goes by in such symbols, and sets them when it is imported.
  // The test runner keeps its count of assertions in one.
  expect(changed.map(String).filter(name => !name.includes('jest-matchers'))).toEqual([])
})

it('changes none by importing the package, and by using a cassette, in a process that has nothing else', async () => {
  const script = `
    const names = () => Reflect.ownKeys(globalThis).map(String)
    // Node 24 has this class, and keeps a dispatcher of its own from the first look at it on.
    void globalThis.CloseEvent
    const before = new Set(names())
    const { useCassette } = await import(process.argv[1])
    const tape = await useCassette(process.argv[2], { mode: 'replay' })
    const carriers = [tape.fetch, tape.WebSocket, tape.webSocketFactory, tape.dispatcher]
    await tape.discard()
    console.log(JSON.stringify([carriers.length, names().filter(name => !before.has(name))]))
  `
  const entry = resolve(import.meta.dirname, '../../dist/index.js')
  const args = ['--input-type=module', '-e', script, entry, cassette]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual([4, []])
})
