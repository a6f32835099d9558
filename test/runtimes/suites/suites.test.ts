/**
 * The suites in `examples/`, run by their languages' own test runners with the SDK of each language, unmodified:
 * what the recording has passes, and whatever leaves it fails its own test, with its reason.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startScriptedUpstream } from '../../peers/scripted-upstream.ts'
import { expectBuilt } from '../matrix/command.ts'
import { areInstalled, fromGo, fromXml, installPython, runSuite, type Suite, type Tool } from './rig.ts'

beforeAll(expectBuilt)

const CHANGED = expect.stringMatching(/This request is not on the recording:[^]*received: "Say goodbye\."/)
const LEFT = expect.stringMatching(/The recording was not used up[^]*was never asked for/)
const ABANDONED = expect.stringMatching(/was abandoned with \d chunks? to come/)
const TOO_MANY = expect.stringContaining('The recording has no further answer to this request:')

const NO_SUCH = expect.stringMatching(/There is no cassette at [^]*greting\.cassette\.yaml/)

/** Records what one test asks, from a service that has the answer which the test wants. */
async function expectRecorded(suite: Suite): Promise<void> {
  const service = await startScriptedUpstream((_, response) => {
    const parts = [{ text: 'Hello there.' }]
    const body = JSON.stringify({ candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP' }] })
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  onTestFinished(() => service.close())
  const words = ['record', '../cassettes/recorded.cassette.yaml', '--upstream', service.url]
  const { code, outcomes, report, folder } = await runSuite({ ...suite, words })
  expect(Object.values(outcomes), report).toEqual([''])
  expect(readFileSync(join(folder, '../cassettes/recorded.cassette.yaml'), 'utf8')).toContain('Say hello.')
  expect(code).toBe(0)
}

const PYTHON: Tool = {
  title: 'Python 3.10 with venv',
  command: ['python3', '-c', 'import ensurepip, venv, sys; print(sys.version)'],
  version: /^3\.(\d+)/,
  least: 10,
}
const JAVA: Tool = { title: 'a JDK 11', command: ['javac', '-version'], version: /javac (\d+)/, least: 11 }
const MAVEN: Tool = { title: 'Maven 3', command: ['mvn', '-v'], version: /Apache Maven (\d+)/, least: 3 }
const GO: Tool = { title: 'Go 1.24', command: ['go', 'version'], version: /go1\.(\d+)/, least: 24 }

describe.skipIf(!areInstalled(PYTHON))('a pytest suite', () => {
  let python = ''
  beforeAll(() => {
    python = installPython()
  })
  const suite = (file: string, ...only: readonly string[]) => ({
    example: 'pytest',
    command: [python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--junitxml=report.xml', file, ...only],
    outcomes: (folder: string) => fromXml(join(folder, 'report.xml')),
  })

  it('is answered from cassettes, each run of a test from its own replay', async () => {
    const { code, outcomes, report } = await runSuite(suite('test_answers.py'))
    expect(outcomes).toEqual({
      test_greeting: '',
      test_conversation: '',
      test_story: '',
      'test_each_run_is_a_replay_of_its_own[1]': '',
      'test_each_run_is_a_replay_of_its_own[2]': '',
    })
    expect(report).toContain('Replayed: 3 of 4 cassettes used, 5 replays.')
    expect(code).toBe(0)
  })

  it('fails each test whose app leaves its recording, with its reason', async () => {
    const { code, outcomes, report } = await runSuite({
      ...suite('test_unfaithful.py'),
      added: { file: 'test_unfaithful.py', folder: '.' },
    })
    expect(outcomes).toEqual({
      test_changed_request: CHANGED,
      test_dropped_message: LEFT,
      test_swallowed_error: expect.stringMatching(
        /not on the recording[^]*asked: +POST models\/gemini-1\.5-flash/,
      ),
      test_abandoned_stream: ABANDONED,
      test_request_too_many: TOO_MANY,
      test_faithful: '',
      test_mistyped_cassette: NO_SUCH,
    })
    expect(report).toContain('6 replays, 5 failed.')
    expect(code).toBe(1)
  })

  it('records the cassette of one test', () =>
    expectRecorded(suite('test_answers.py', '-k', 'test_greeting')))
})

describe.skipIf(!areInstalled(JAVA, MAVEN))('a JUnit 5 suite', () => {
  const suite = (name: string) => ({
    example: 'junit5',
    command: ['mvn', '-q', '-B', 'test', `-Dtest=${name}`],
    outcomes: (folder: string) => fromXml(join(folder, `target/surefire-reports/TEST-${name}.xml`)),
  })

  it('is answered from cassettes, each run of a test from its own replay', async () => {
    const { code, outcomes, report } = await runSuite(suite('AnswersTest'))
    expect(Object.values(outcomes)).toEqual(['', '', '', ''])
    expect(report).toContain('Replayed: 2 of 4 cassettes used, 4 replays.')
    expect(code).toBe(0)
  })

  it('fails each test whose app leaves its recording, with its reason', async () => {
    const { code, outcomes } = await runSuite({
      ...suite('UnfaithfulTest'),
      added: { file: 'UnfaithfulTest.java', folder: 'src/test/java' },
    })
    expect(outcomes).toEqual({
      'changedRequest(Tape)': CHANGED,
      'droppedMessage(Tape)': LEFT,
      'abandonedStream(Tape)': ABANDONED,
      'requestTooMany(Tape)': TOO_MANY,
      'faithful(Tape)': '',
    })
    expect(code).toBe(1)
  })

  it('records the cassette of one test', () =>
    expectRecorded({
      ...suite('AnswersTest'),
      command: ['mvn', '-q', '-B', 'test', '-Dtest=AnswersTest#greeting'],
    }))
})

describe.skipIf(!areInstalled(GO))('a Go suite', () => {
  const suite = (run: string) => ({
    example: 'go',
    command: ['go', 'test', '-json', '-count=1', '-vet=off', '-run', run, '.'],
    outcomes: (_: string, stdout: string) => fromGo(stdout),
  })

  it('is answered from cassettes, Live too, each run of a test from its own replay', async () => {
    const { code, outcomes, report } = await runSuite(suite('.'))
    expect(Object.entries(outcomes).filter(([, why]) => why !== '')).toEqual([])
    expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(['TestGreeting', 'TestStory', 'TestTalk']))
    expect(report).toContain('Replayed: 3 of 4 cassettes used, 5 replays.')
    expect(code).toBe(0)
  })

  it('fails each test whose app leaves its recording, with its reason', async () => {
    const { code, outcomes } = await runSuite({
      ...suite('Changed|Dropped|Abandoned|TooMany|Faithful'),
      added: { file: 'unfaithful_test.go', folder: '.' },
    })
    expect(outcomes).toEqual({
      TestChangedRequest: CHANGED,
      TestDroppedMessage: expect.stringContaining('never sent by the client: message 3, clientContent'),
      TestAbandonedStream: ABANDONED,
      TestRequestTooMany: TOO_MANY,
      TestFaithful: '',
    })
    expect(code).toBe(1)
  })

  it('records the cassette of one test', () => expectRecorded(suite('TestGreeting$')))
})
