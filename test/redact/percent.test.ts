/** Secrets that are percent-encoded, wholly or in part: one more spelling of them, wherever they stand. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor, type Redactor } from '../../src/redact/redactor.ts'
import {
  ACCESS_TOKEN,
  API_KEY,
  AUTH_KEY,
  bytes,
  CLIENT_SECRET,
  EPHEMERAL,
  HANDLE,
  JWT,
  PEM,
  PEM_BEGIN,
  PEM_BODY,
  PEM_END,
  REFRESH_TOKEN,
  SERVICE_ACCOUNT,
  text,
} from './secrets.ts'

const LEARNED = 'own-format/key+42 of%mine'

function redactor(): Redactor {
  const made = createRedactor(SECRET_RULES)
  made.headers([['x-goog-api-key', LEARNED]])
  return made
}

interface Outcome {
  readonly out: string
  readonly refused: string | undefined
}

/** What comes out of a body that came in pieces of these sizes, used in turn. */
function stream(body: string, sizes: readonly number[] = [body.length]): Outcome {
  const by = redactor().body()
  const all = bytes(body)
  let out = ''
  for (let at = 0, turn = 0; at < all.length; turn += 1) {
    const end = at + (sizes[turn % sizes.length] ?? 1)
    out += text(by.push(all.subarray(at, end)).bytes)
    at = end
  }
  const last = by.end()
  return { out: out + text(last.bytes), refused: last.refused }
}

/** All of a text as it may be read: nothing is encoded any more, in URLs or JSON. */
function read(content: string): string {
  let whole = content
  for (let turn = 0; turn < 3; turn += 1) {
    whole = whole.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  return whole.replaceAll('\\/', '/')
}

/** How each character of a text is spelled in turn. */
type Spell = (character: string) => string

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0')
const raw: Spell = character => character
const lower: Spell = character => `%${hexOf(character)}`
const upper: Spell = character => `%${hexOf(character).toUpperCase()}`
const twice: Spell = character => `%25${hexOf(character)}`
const thrice: Spell = character => `%2525${hexOf(character).toUpperCase()}`
/** As `URLSearchParams` does. */
const form: Spell = character => new URLSearchParams([['', character]]).toString().slice(1)
/** As `encodeURIComponent` does. */
const component: Spell = character => encodeURIComponent(character)

function spelled(content: string, spells: readonly Spell[]): string {
  const [first = raw] = spells
  return Array.from(content, (character, turn) => {
    // Where one quote is encoded, all are: what begins with a raw one ends with a raw one.
    const spell = character === '"' ? first : (spells[turn % spells.length] ?? raw)
    return spell(character)
  }).join('')
}

const spellings = fc.oneof(
  fc.constantFrom([form], [component], [upper], [lower], [twice], [thrice], [raw]),
  fc.array(fc.constantFrom(raw, raw, lower, upper, twice, thrice, form, component), {
    minLength: 1,
    maxLength: 60,
  }),
)

const cuts = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
)

/** What is spelled, and what of it must not be read from what comes out. */
const SECRETS: readonly (readonly [string, string])[] = [
  [API_KEY, API_KEY],
  [AUTH_KEY, AUTH_KEY],
  [ACCESS_TOKEN, ACCESS_TOKEN],
  [REFRESH_TOKEN, REFRESH_TOKEN],
  [REFRESH_TOKEN.replaceAll('/', '\\/'), REFRESH_TOKEN],
  [CLIENT_SECRET, CLIENT_SECRET],
  [EPHEMERAL, EPHEMERAL.slice(12)],
  [JWT, JWT],
  [PEM, PEM_BODY],
  [PEM.replaceAll('PRIVATE', 'RSA PRIVATE'), PEM_BODY],
  [JSON.stringify(PEM), PEM_BODY],
  [`"newHandle": "${HANDLE}"`, HANDLE],
  [JSON.stringify({ client_secret: 'b"4711\\-and-more' }), '4711'],
  [JSON.stringify({ text: JSON.stringify({ client_secret: 'b"4711\\-and-more' }) }), '4711'],
  ['projects/sample-1/locations/l/x', 'sample-1'],
  ['project 123456789', '123456789'],
  [LEARNED, LEARNED],
]

describe('a percent-encoded secret', () => {
  const EXAMPLES: readonly (readonly [string, string, string])[] = [
    [
      'a PEM in a form',
      new URLSearchParams({ key: PEM, a: 'b' }).toString(),
      `key=-----BEGIN+PRIVATE+KEY-----redacted-private-key-1-----END+PRIVATE+KEY-----%0A&a=b`,
    ],
    [
      'a PEM in JSON in a form',
      new URLSearchParams({ key: JSON.stringify([PEM]) }).toString(),
      `key=%5B%22-----BEGIN+PRIVATE+KEY-----redacted-private-key-1-----END+PRIVATE+KEY-----%5Cn%22%5D`,
    ],
    [
      'a refresh token in a form',
      new URLSearchParams({ refresh_token: REFRESH_TOKEN, a: 'b' }).toString(),
      'refresh_token=redacted-refresh-token-1&a=b',
    ],
    ['a key, all of it', `k=${spelled(API_KEY, [upper])}&a=b`, 'k=redacted-api-key-1&a=b'],
    ['a key, some of it', `k=${spelled(API_KEY, [raw, raw, lower])}&a=b`, 'k=redacted-api-key-1&a=b'],
    ['a key after an encoded escape', `k=%22%5Cn${API_KEY}%22`, 'k=%22%5Cnredacted-api-key-1%22'],
    ['a token at a sentence end', `t=is%20${ACCESS_TOKEN}%2e%2E`, 't=is%20redacted-token-1%2e%2E'],
    [
      'fields in a form',
      new URLSearchParams({ j: '{"client_secret": "a\\"b", "b": "c"}' }).toString(),
      'j=%7B%22client_secret%22%3A+%22redacted-client-secret-1%22%2C+%22b%22%3A+%22c%22%7D',
    ],
    [
      'a field in JSON in a string in a form',
      new URLSearchParams({ j: JSON.stringify({ t: '{"client_secret":"a\\"b"}' }) }).toString(),
      'j=%7B%22t%22%3A%22%7B%5C%22client_secret%5C%22%3A%5C%22redacted-client-secret-1%5C%22%7D%22%7D',
    ],
    ['a known value', `k=${encodeURIComponent(LEARNED)}.`, 'k=redacted-api-key-1.'],
    ['a cut-off key', `k=${spelled(API_KEY.slice(0, 20), [upper])}%4`, 'k=redacted-api-key-1'],
    ['a cut-off token after a dot', `k=${ACCESS_TOKEN}.%4`, 'k=redacted-token-1.%4'],
    [
      'a cut-off field',
      'j=%22client_secret%22%3A%22abc%2',
      'j=%22client_secret%22%3A%22redacted-client-secret-1',
    ],
  ]

  it.each(EXAMPLES)('is not written: %s', (_what, body, expected) => {
    const numbered = (out: string): string => out.replaceAll(/(redacted-[a-z-]+-)\d/g, '$11')
    expect(numbered(stream(body).out)).toBe(expected)
    expect(numbered(stream(body, [1]).out)).toBe(expected)
  })

  it('has the placeholder that it has in plain text', () => {
    const { out } = stream(`${PEM} ${encodeURIComponent(PEM)} ${spelled(API_KEY, [lower])} ${API_KEY}.`)
    expect(out.match(/redacted-private-key-1/g)).toHaveLength(2)
    expect(out.match(/redacted-api-key-2/g)).toHaveLength(2)
  })

  it('leaves nothing that decodes to a piece of it, however it is spelled, cut anywhere', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        spellings,
        cuts,
        fc.constantFrom('=', '%3D', '%22', '%', ' ', '%0A', '%5c%6E', '%5Cn', '%252F'),
        fc.constantFrom('&', '%26', '%22', '"', ' ', '%0D%0A'),
        ([secret, telling], spells, sizes, before, after) => {
          const body = `a${before}${spelled(secret, spells)}${after}b=c`
          const whole = stream(body)
          const cut = stream(body, sizes)
          expect(cut).toEqual(whole)
          const out = read(cut.out)
          const pieces = Array.from({ length: Math.max(0, telling.length - 11) }, (_, at) =>
            telling.slice(at, at + 12),
          )
          expect(pieces.filter(piece => out.includes(piece))).toEqual([])
          expect(out).not.toContain(telling)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is nowhere in an address or a header either', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS.filter(([secret]) => !/[" ]/.test(secret))),
        spellings,
        ([secret, telling], spells) => {
          const content = spelled(secret, spells).replaceAll('\n', '%0A')
          const by = redactor()
          const urls = [`/v1/x/${content}/y?z=1`, `https://g.test/x?a=${content}&b=c`, `/v1/x%2f${content}#f`]
          for (const url of urls) expect(read(by.url(url))).not.toContain(telling)
          const [[, value] = ['', '']] = by.headers([['x-custom', `a=${content}; b`]])
          expect(read(value)).not.toContain(telling)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('holds back no more than it is long', () => {
    const by = redactor().body()
    by.push(bytes(`a=${spelled(API_KEY, [thrice]).slice(0, 200)}`))
    expect(by.held).toBe(200)
    by.push(bytes(spelled('x'.repeat(100), [thrice])))
    expect(by.held).toBeLessThanOrEqual(7)
  })

  it('holds nothing of a service-account file in a form', () => {
    const { out } = stream(new URLSearchParams({ file: SERVICE_ACCOUNT }).toString())
    expect(JSON.parse(new URLSearchParams(out).get('file') ?? '')).toEqual({
      type: 'service_account',
      project_id: 'sample-project',
      private_key_id: 'redacted-private-key-id-1',
      private_key: 'redacted-private-key-1',
      client_email: 'redacted-service-account-1',
    })
  })

  it('stops the recording where it has no end', () => {
    const { out, refused } = stream(`%22client_secret%22%3A%22${'x'.repeat(200_000)}`)
    expect([out, refused]).toEqual(['%22client_secret%22%3A%22', 'client-secret'])
  })
})

describe('percent-encoded base64 of a key', () => {
  it('is refused, and nothing of it comes out', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(API_KEY, AUTH_KEY, ACCESS_TOKEN, REFRESH_TOKEN, CLIENT_SECRET, EPHEMERAL, PEM),
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('\n', '\r\n', '\\n', ''),
        spellings,
        cuts,
        (key, before, lineEnd, spells, sizes) => {
          const sealed = Buffer.concat([before, Buffer.from(`${key}\n`)]).toString('base64')
          const lines = sealed.replaceAll(/.{64}/g, `$&${lineEnd}`).replaceAll('/', '\\/')
          const { out, refused } = stream(`data=${spelled(lines, spells)}&a=b`, sizes)
          expect(refused).toBeDefined()
          const written = read(out)
            .slice('data='.length)
            .replaceAll(/\\n|\s/g, '')
          expect(Buffer.from(written, 'base64').length).toBeLessThanOrEqual(before.length + 1)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('what is no secret', () => {
  const innocent = fc
    .array(
      fc.oneof(
        fc.string({ maxLength: 12, unit: 'grapheme-ascii' }),
        fc.stringMatching(/^[%2541fFA+]{0,12}$/),
        fc.constantFrom(
          '%',
          '%%',
          '%2',
          '%25',
          '%252',
          '%2525',
          '%zz',
          '%41',
          '%2F',
          '%2f',
          '%22',
          '%5C',
          '%5Cn',
          '100%',
          'AIza',
          '%41Iza',
          '1%2F%2F0',
          '-----BEGIN+',
          '%22handle%22%3A%22ada%22',
          'project+',
          '+',
          ' ',
          'own-format%2F',
          'QUl6',
          '%51Ul6',
          'auth_tokens%2F',
        ),
      ),
      { maxLength: 14 },
    )
    // What a body ends in may be a key that was cut off.
    .map(pieces => `${pieces.join(' ')}\nend`)

  it('comes back unchanged, percent signs and all, cut anywhere', () => {
    fc.assert(
      fc.property(innocent, spellings, cuts, (content, spells, sizes) => {
        for (const body of [content, spelled(content, spells)]) {
          expect(stream(body, sizes)).toEqual({ out: body, refused: undefined })
        }
      }),
      { numRuns: 250 },
    )
  })

  it.each([
    `a=%41${API_KEY}`.replace('%41', 'x'),
    `a=${spelled(API_KEY.repeat(2), [upper])}&`,
    `a=${encodeURIComponent('-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n')}`,
    'a=%22client_secret%22%3A%7B%22b%22%3A1%7D',
    'a=%22handle%22%3A%22%40ada%22',
    'a=projects%2Fwebsite%2Fsrc&b=project+2026',
  ])('such as %s', body => {
    expect(stream(body, [3]).out).toBe(body)
  })
})

describe('a PEM in an answer that encodes it again', () => {
  it('keeps its frame', () => {
    const body = spelled(`${PEM_BEGIN}${PEM_BODY}${PEM_END}`, [twice])
    expect(stream(body).out).toBe(
      `${spelled(PEM_BEGIN, [twice])}redacted-private-key-1${spelled(PEM_END, [twice])}`,
    )
  })
})
