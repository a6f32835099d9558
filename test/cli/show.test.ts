/** `wiretape show`, as a shell runs it: into a pipe, and on terminals of two widths. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { widthOf } from '../../src/view/text.ts'
import { CLI, emptyFolder, wiretape } from './spawned.ts'

const cassettes = resolve(import.meta.dirname, '../../cassettes')

function show(name: string, ...words: readonly string[]) {
  return wiretape(['show', `${name}.cassette.yaml`, ...words], { cwd: cassettes })
}

/** What a terminal of this width gets. */
async function onTerminal(
  width: number,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  let text = ''
  const write = (piece: string) => {
    text += piece
  }
  const stream = { isTTY: true, columns: width, write }
  expect(await run(words, { stdout: stream, stderr: stream, env })).toBe(0)
  return text
}

describe('in a pipe', () => {
  it('shows a streamed interaction in 80 columns, without colour', async () => {
    const { code, stdout, stderr } = await show('interactions-tool-turn')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "interactions-tool-turn.cassette.yaml  2 exchanges
      A thought comes as a summary and a signature; the second request sends both back
      as a thought step.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  POST interactions
         Stateless, so the client sends the steps back itself.
         takes 1.102 s

                 client                  service
        0.000 s  model gemini-3-flash-preview
                 tools get_tide
                 When is high tide in Whitby?
        0.702 s                          200  text/event-stream
        0.703 s                          created
        0.912 s                          [0] thinks The tide table has the answer, so
                                         I should look it up.
        1.034 s                          [0] signature Q2lRQiBhIG1h… 64 characters
        1.060 s                          [1] get_tide(…) t4d8r1vn
        1.061 s                          [1] arguments {"harbour":"Whitby"}
                                         (2 pieces, until 1.088 s)
        1.101 s                          requires_action
                                         [DONE]
                                         tokens: 52 in, 14 out, 52 thinking, 118 in
                                         all

      2  POST interactions
         begins at 1.170 s, takes 0.585 s

                 client                  service
        0.000 s  sends 4 earlier parts along
                 model gemini-3-flash-preview
                 tools get_tide
                 get_tide t4d8r1vn gives
                 {"time":"16:42","height_m":5.4}
        0.488 s                          200  text/event-stream
        0.489 s                          created
        0.521 s                          [0] High tide in Whitby is at 16:42, at 5.4
                                         metres.  (2 pieces, until 0.577 s)
        0.584 s                          completed
                                         [DONE]
                                         tokens: 118 in, 19 out, 137 in all
      "
    `)
  })

  it('shows arguments that come in pieces', async () => {
    expect((await show('streamed-arguments')).stdout).toMatchInlineSnapshot(`
      "streamed-arguments.cassette.yaml  1 exchange
      Arguments come in pieces by JSON path; a bare functionCall closes the call.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  POST models/gemini-3-pro-preview:streamGenerateContent?alt=sse
         A string comes with willContinue and is closed by an empty piece; a number
         comes at once. Only the first part of the call has its name and signature.
         takes 2.264 s

                 client                  service
        0.000 s  tools book_berth
                 Book a berth in Whitby for a boat of 9.5
                 metres.
        2.210 s                          200  text/event-stream
        2.213 s                          book_berth(…)
                                         signature Q2lRQiBhIG1h… 60 characters
        2.214 s                          arguments $.harbour = Whitby, $.length_m =
                                         9.5  (3 pieces, until 2.260 s)
        2.262 s                          call ends
                                         STOP
                                         tokens: 41 in, 21 out, 91 thinking, 153 in
                                         all
      "
    `)
  })

  it('shows errors in mid-stream', async () => {
    expect((await show('error-in-mid-stream')).stdout).toMatchInlineSnapshot(`
      "error-in-mid-stream.cassette.yaml  2 exchanges
      SDKs differ most here. Some raise these errors, some pass them on, some lose
      them.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  POST models/gemini-2.5-flash:streamGenerateContent?alt=sse
         The error is an event like any other.
         takes 2.291 s

                 client                  service
        0.000 s  Tell me of the Dogger Bank.
        0.301 s                          200  text/event-stream
        0.306 s                          It was land once,
                                         tokens: 9 in, 5 out, 14 in all
        2.290 s                          error 503 UNAVAILABLE: The model is
                                         overloaded. Please try again later.

      2  POST models/gemini-2.5-flash:streamGenerateContent?alt=sse
         The error is bare JSON in the stream, in a chunk of its own. It is no event,
         so it is kept as raw text.
         begins at 4.000 s, takes 1.467 s

                 client                  service
        0.000 s  And of Doggerland?
        0.288 s                          200  text/event-stream
        0.293 s                          Hunters lived
                                         tokens: 7 in, 3 out, 10 in all
        1.466 s                          error 499 CANCELLED: The operation was
                                         cancelled.
      "
    `)
  })

  it('shows a Live session that is interrupted, and its close', async () => {
    expect((await show('live-interrupted-thought')).stdout).toMatchInlineSnapshot(`
      "live-interrupted-thought.cassette.yaml  1 exchange
      No public recording holds this. It rests on js-genai's types for
      LiveServerContent and on a remark in google/adk-java issue 1648: thoughts in
      pieces, then interrupted, turnComplete and the usage, are the only interruption
      that was seen there from a real model.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  GenerativeService.BidiGenerateContent
         takes 1.599 s

                 client                  service
        0.003 s  setup
                 model models/gemini-live-2.5-flash-preview
                 answers in TEXT
                 thinkingConfig {"includeThoughts":true}
        0.119 s                          setupComplete
        0.122 s  Plan me a walk from Whitby to Scarborough.
                 turnComplete
        0.611 s                          thinks **Measuring the walk** ⏎ It is the
                                         Cleveland Way, southward along the cliffs,
                                         some twenty miles, so a night in Robin Hood's
                                         Bay  (3 pieces, until 0.688 s)
        0.702 s  Wait, from Whitby to Staithes.
                 turnComplete
        0.709 s                          thinks  would halve it.
        0.771 s                          interrupted
        0.776 s                          turnComplete
        1.290 s                          thinks **Turning north** ⏎ Staithes is the
                                         other way.
        1.504 s                          Go north on the cliff path through Runswick
                                         Bay: eleven miles.  (2 pieces, until 1.551 s)
        1.590 s                          generationComplete
        1.594 s                          turnComplete
                                         tokens: 84 in, 14 out, 18 thinking, 116 in
                                         all
        1.597 s  closes without a code
      "
    `)
  })

  it('shows sound by its length, and what was heard', async () => {
    expect((await show('live-audio-turn')).stdout).toMatchInlineSnapshot(`
      "live-audio-turn.cassette.yaml  1 exchange
      A transcription says what was heard and what is said, in pieces that keep no
      order with the sound (js-genai's types). Listen to 1-client.pcm as 16-bit mono
      at 16 kHz, to 1-server.pcm at 24 kHz.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  GenerativeService.BidiGenerateContent
         takes 1.293 s

                 client                  service
        0.003 s  setup
                 model models/gemini-2.5-flash-native-audio-pr
                 eview-12-2025
                 answers in AUDIO
                 inputAudioTranscription {}
                 outputAudioTranscription {}
        0.131 s                          setupComplete
        0.134 s  0.200 s of audio/pcm;rate=16000
                 (2 pieces, until 0.137 s)
        0.139 s  audioStreamEnd
        0.498 s                          hears Is the harbour open?
                                         (2 pieces, until 0.604 s)
        0.911 s                          0.300 s of audio/pcm;rate=24000
                                         (3 pieces, until 0.990 s)
        0.915 s                          says Yes, until ten tonight.
                                         (2 pieces, until 0.996 s)
        1.011 s                          generationComplete
        1.288 s                          turnComplete
                                         tokens: 38 in, 22 out, 60 in all
        1.291 s  closes without a code
      "
    `)
  })

  it('shows all of it with --full', async () => {
    expect((await show('tool-turn', '--full')).stdout).toMatchInlineSnapshot(`
      "tool-turn.cassette.yaml  2 exchanges
      The signature and the call's id come back on their own part, byte for byte.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  POST models/gemini-3-pro-preview:generateContent
         takes 1.206 s

                 client                  service
        0.000 s  tools get_tide
                 When is high tide in Whitby?
        1.204 s                          200
                                         content-type: application/json; charset=UTF-8
                                         get_tide({"harbour":"Whitby"}) q7w2m9xk
                                         signature Q2k0QmEgbWFkZS11cCBzaWduYXR1cmUgZm9
                                         yIHRoZSB0aWRlIGNhbGwsIG5vYm9keSdzIHRob3VnaHRz
                                         STOP: Model generated function call(s).
                                         tokens: 49 in, 16 out, 74 thinking, 139 in
                                         all

      2  POST models/gemini-3-pro-preview:generateContent
         begins at 1.290 s, takes 0.634 s

                 client                  service
        0.000 s  tools get_tide
                 When is high tide in Whitby?
                 get_tide({"harbour":"Whitby"}) q7w2m9xk
                 signature Q2k0QmEgbWFkZS11cCBzaWduYXR1cmUgZm9
                 yIHRoZSB0aWRlIGNhbGwsIG5vYm9keSdzIHRob3VnaHRz
                 get_tide q7w2m9xk gives
                 {"time":"16:42","height_m":5.4}
        0.633 s                          200
                                         content-type: application/json; charset=UTF-8
                                         High tide in Whitby is at 16:42, at 5.4
                                         metres.
                                         signature RWp1ZCBhbm90aGVyIG1hZGUtdXAgb25l
                                         STOP
                                         tokens: 118 in, 19 out, 137 in all
      "
    `)
  })

  it('lets its reader leave', async () => {
    const words = [CLI, 'show', join(cassettes, 'interactions-tool-turn.cassette.yaml')]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
})

describe('--json', () => {
  it('prints an object for each thing that was said, and nothing is put together', async () => {
    const { stdout } = await show('streamed-arguments', '--json')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line) as unknown)).toMatchObject([
      { type: 'cassette', file: 'streamed-arguments.cassette.yaml', by: 'hand' },
      { type: 'exchange', exchange: 1, dialect: 'generate-content' },
      { type: 'item', from: 'client', kind: 'setting', name: 'tools' },
      { type: 'item', from: 'client', kind: 'text' },
      { type: 'response', exchange: 1, at: 2210, status: 200 },
      { type: 'item', at: 2213, from: 'server', kind: 'call', name: 'book_berth' },
      { type: 'item', kind: 'signature' },
      { type: 'item', kind: 'usage' },
      { type: 'item', at: 2214, kind: 'arguments', path: '$.harbour', text: 'Whitby' },
      { type: 'item', kind: 'usage' },
      { type: 'item', at: 2241, kind: 'arguments', path: '$.harbour', text: '' },
      { type: 'item', kind: 'usage' },
      { type: 'item', at: 2260, kind: 'arguments', path: '$.length_m', text: '9.5' },
      { type: 'item', kind: 'usage' },
      { type: 'item', kind: 'mark', text: 'call ends' },
      { type: 'item', kind: 'finish', reason: 'STOP', well: true },
      { type: 'item', kind: 'usage' },
      { type: 'end', exchange: 1, at: 2264, how: 'complete' },
    ])
  })

  it('has the close of a socket', async () => {
    const { stdout } = await show('live-close-1011', '--json')
    expect(stdout).toContain('"type":"close","exchange":1')
    expect(stdout).toContain('"by":"server","code":1011')
  })
})

describe('on a terminal', () => {
  const file = join(cassettes, 'interactions-tool-turn.cassette.yaml')

  it('shows the service to the right of the client, in colours', async () => {
    const text = await onTerminal(120, ['show', file])
    expect(stripVTControlCharacters(text).replace(file, 'FILE')).toMatchInlineSnapshot(`
      "FILE  2 exchanges
      A thought comes as a summary and a signature; the second request sends both back as a thought step.
      by hand, google-genai-sdk/3.3.0 gl-node/v20.20.2

      1  POST interactions
         Stateless, so the client sends the steps back itself.
         takes 1.102 s

                 client                                 service
        0.000 s  model gemini-3-flash-preview
                 tools get_tide
                 When is high tide in Whitby?
        0.702 s                                         200  text/event-stream
        0.703 s                                         created
        0.912 s                                         [0] thinks The tide table has the answer, so I should look it up.
        1.034 s                                         [0] signature Q2lRQiBhIG1h… 64 characters
        1.060 s                                         [1] get_tide(…) t4d8r1vn
        1.061 s                                         [1] arguments {"harbour":"Whitby"}  (2 pieces, until 1.088 s)
        1.101 s                                         requires_action
                                                        [DONE]
                                                        tokens: 52 in, 14 out, 52 thinking, 118 in all

      2  POST interactions
         begins at 1.170 s, takes 0.585 s

                 client                                 service
        0.000 s  sends 4 earlier parts along
                 model gemini-3-flash-preview
                 tools get_tide
                 get_tide t4d8r1vn gives {"time":"16:42","height_m":5.4}
        0.488 s                                         200  text/event-stream
        0.489 s                                         created
        0.521 s                                         [0] High tide in Whitby is at 16:42, at 5.4 metres.
                                                        (2 pieces, until 0.577 s)
        0.584 s                                         completed
                                                        [DONE]
                                                        tokens: 118 in, 19 out, 137 in all
      "
    `)
    expect(text).not.toBe(stripVTControlCharacters(text))
  })

  it('shows no colours where NO_COLOR is set', async () => {
    const text = await onTerminal(80, ['show', file], { NO_COLOR: '1' })
    expect(text).toBe(stripVTControlCharacters(text))
  })

  it.each([48, 80, 120, 200])('writes no line over its edge: %i columns', async width => {
    for (const name of ['interactions-tool-turn', 'live-resumed-session', 'live-parallel-calls']) {
      // oxlint-disable-next-line no-await-in-loop
      const text = stripVTControlCharacters(
        await onTerminal(width, ['show', join(cassettes, `${name}.cassette.yaml`)]),
      )
      const [, ...lines] = text.split('\n')
      expect(lines.filter(line => widthOf(line) > width)).toEqual([])
      expect(lines.filter(line => line !== line.trimEnd())).toEqual([])
    }
  })
})

describe('a cassette that can not be shown', () => {
  it('is told as everywhere', async () => {
    const cwd = emptyFolder()
    const missing = await wiretape(['show', 'away.cassette.yaml'], { cwd })
    expect(missing).toMatchObject({ code: 1, stdout: '' })
    expect(missing.stderr).toContain('WIRETAPE_CASSETTE_MISSING')
    writeFileSync(join(cwd, 'bad.cassette.yaml'), 'cassette: 1\n---\nexchange: nothing\n')
    expect((await wiretape(['show', 'bad.cassette.yaml'], { cwd })).stderr).toContain(
      'WIRETAPE_CASSETTE_INVALID',
    )
  })
})

it('never lets a payload speak to the terminal', async () => {
  const file = join(emptyFolder(), 'hostile.cassette.yaml')
  writeFileSync(
    file,
    `cassette: 1\n---\nexchange: unknown\nname: "\\e[2J"\nnote: "\\e[31m"\nrequest:\n  method: GET\n  url: https://a.example/b\nresponse:\n  status: 200\n  reason: "a\\u009bb"\n  body: "\\e]0;title\\a and \\u202e"\nend: {}\n`,
  )
  const text = await onTerminal(80, ['show', file], { NO_COLOR: '1' })
  // oxlint-disable-next-line no-control-regex -- they are what it looks for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(text).toContain('\\u001b]0;title')
})
