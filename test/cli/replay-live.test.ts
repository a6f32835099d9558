/** `wiretape replay` of a Live session, as a shell runs it. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, stable, wiretape } from './spawned.ts'

const TALK = resolve(import.meta.dirname, 'talk.mjs')

const CASSETTE = `cassette: 1
---
exchange: live
request:
  url: wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent
messages:
  - client: { setup: { model: models/m } }
  - server: { setupComplete: {} }
  - client: { clientContent: { turns: [{ parts: [{ text: Hello }] }], turnComplete: true } }
  - server: { serverContent: { modelTurn: { parts: [{ text: Hi. }] } } }
  - server: { serverContent: { turnComplete: true } }
  - client: { clientContent: { turns: [{ parts: [{ text: Bye }] }], turnComplete: true } }
  - server: { serverContent: { interrupted: true } }
  - server: { serverContent: { turnComplete: true } }
  - close: { by: client, code: 1000 }
end: {}
`

function replay(texts: readonly string[], ...words: readonly string[]) {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'talk.cassette.yaml'), CASSETTE)
  return wiretape(['replay', 'talk.cassette.yaml', ...words, '--', process.execPath, TALK, ...texts], { cwd })
}

describe('with a command that has the recorded session', () => {
  it('returns 0', async () => {
    const { code, stdout, stderr } = await replay(['Hello', 'Bye'])
    expect(stdout).toMatchInlineSnapshot(`
      "{"setupComplete":{}}
      {"serverContent":{"modelTurn":{"parts":[{"text":"Hi."}]}}}
      {"serverContent":{"turnComplete":true}}
      {"serverContent":{"interrupted":true}}
      {"serverContent":{"turnComplete":true}}
      close 1000
      "
    `)
    expect(stderr).toMatchInlineSnapshot(`
      "GenerativeService.BidiGenerateContent  101  310 B
      Replayed: 1 of 1 exchange played.
      "
    `)
    expect(code).toBe(0)
  })

  it('says so in lines too', async () => {
    const { stderr } = await replay(['Hello', 'Bye'], '--json')
    const lines = stderr.split('\n').filter(line => line.startsWith('{'))
    expect(stable(lines.join('\n'))).toMatchInlineSnapshot(`
      "{"event":"listening","url":"http://127.0.0.1:PORT","vertexUrl":"http://127.0.0.1:PORT"}
      {"event":"received","file":"talk.cassette.yaml","exchange":1,"operation":"GenerativeService.BidiGenerateContent","socket":1,"message":{"setup":{"model":"models/m"}}}
      {"event":"received","file":"talk.cassette.yaml","exchange":1,"operation":"GenerativeService.BidiGenerateContent","socket":1,"message":{"client_content":{"turns":[{"parts":[{"text":"Hello"}]}],"turn_complete":true}}}
      {"event":"received","file":"talk.cassette.yaml","exchange":1,"operation":"GenerativeService.BidiGenerateContent","socket":1,"message":{"client_content":{"turns":[{"parts":[{"text":"Bye"}]}],"turn_complete":true}}}
      {"event":"exchange","file":"talk.cassette.yaml","number":1,"operation":"GenerativeService.BidiGenerateContent","status":101,"bytes":310,"outcome":"complete"}
      {"event":"closed","exchanges":1,"played":1,"requests":1,"failures":[],"leftovers":[],"notes":[]}"
    `)
  })
})

describe('with a command that says something else', () => {
  it('tells both sides and returns 1, although the command returned 0', async () => {
    const { code, stdout, stderr } = await replay(['Hello', 'Good night'])
    expect(stdout.split('\n').at(-2)).toMatchInlineSnapshot(
      `"close 4404 WIRETAPE_NO_MATCH: message 6, $.clientContent.turns[0].parts[0].text: recorded "Bye", received "Good night""`,
    )
    expect(stderr).toMatchInlineSnapshot(`
      "GenerativeService.BidiGenerateContent  101  203 B  abandoned

      WIRETAPE_NO_MATCH
        The client sent clientContent, which is not what the recording has next: the text of the last user message changed.
          at:         exchange 1 (line 3 of talk.cassette.yaml), message 6
          before it:  client: clientContent, {"clientContent":{"turnComplete":true,"turns":[{"parts":[{"text":"Hello"}]}]}}
                      server: message 4, serverContent.modelTurn, { "serverContent": { "modelTurn": { "parts": [ { "text": "Hi." } ] } } }
                      server: message 5, serverContent.turnComplete, { "serverContent": { "turnComplete": true } }
          differs at: $.clientContent.turns[0].parts[0].text
          recorded:   "Bye"
          received:   "Good night"
        The recording has clientContent here.
        If this value differs from run to run, ignore it: \`ignore: ['/clientContent/turns/0/parts/0/text']\`.
        If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record talk.cassette.yaml --overwrite

      FAILED: 1 of 1 exchange played, 1 request without a match.
      "
    `)
    expect(code).toBe(1)
  })
})

describe('with a command that does not say what is waited for', () => {
  it('tells what waits for what and returns 1, after the time that it was given', async () => {
    const { code, stdout, stderr } = await replay(['Hello', 'wait'], '--stall', '300', '--quiet', '100')
    expect(stdout.split('\n').at(-2)).toMatchInlineSnapshot(
      `"close 4408 WIRETAPE_STALL: serverContent.interrupted waits for message 6, clientContent"`,
    )
    expect(stderr).toMatchInlineSnapshot(`
      "GenerativeService.BidiGenerateContent  101  203 B  abandoned

      WIRETAPE_STALL
        The replay waited 300 ms for a message that the client did not send: message 6, clientContent is missing.
          at:      exchange 1 (line 3 of talk.cassette.yaml)
          waiting: message 7 of the service, serverContent.interrupted
          it waits for: message 6, clientContent
          came so far: setup, clientContent
        Send what is missing, or raise the stall time if the client is only slow.
        If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record talk.cassette.yaml --overwrite

      FAILED: 1 of 1 exchange played, 1 stall.
      "
    `)
    expect(code).toBe(1)
  })
})
