/** Bodies cut anywhere: what comes out never depends on it, and never holds a secret. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor, type RedactedBytes, type Replacement } from '../../src/redact/redactor.ts'
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
  PEM_BODY,
  REFRESH_TOKEN,
  text,
} from './secrets.ts'

const LEARNED = 'own-format/key+42'

/** What is planted, and what must then be nowhere. */
const PLANTED: readonly (readonly [string, string])[] = [
  [API_KEY, API_KEY],
  [`"${API_KEY}"`, API_KEY],
  [`\\n${AUTH_KEY} `, AUTH_KEY],
  [` ${ACCESS_TOKEN},`, ACCESS_TOKEN],
  [`"${REFRESH_TOKEN}"`, REFRESH_TOKEN],
  [`"${REFRESH_TOKEN.replaceAll('/', '\\/')}"`, REFRESH_TOKEN.slice(3)],
  [`=${CLIENT_SECRET}&`, CLIENT_SECRET],
  [`/${EPHEMERAL}"`, EPHEMERAL],
  [` ${JWT}"`, JWT],
  [PEM, PEM_BODY],
  [JSON.stringify(PEM), PEM_BODY],
  [`{"newHandle" :\r\n "${HANDLE}"}`, HANDLE],
  ['{"client_secret":"a\\"b-4711-c"}', 'b-4711-c'],
  ['{\\"client_secret\\": \\"b-4711-c\\"}', 'b-4711-c'],
  ['"projects/sample-1/locations/l/x"', 'sample-1'],
  ['in project 123456789 before', '123456789'],
  [` ${LEARNED} `, LEARNED],
  [` ${LEARNED.replace('/', '%2F').replace('+', '\\u002b')} `, 'key%2B42'],
]

/** What a body also holds: beginnings of secrets that are none, escapes, base64. */
const around = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.stringMatching(/^[A-Za-z0-9+/_-]{0,40}={0,2}$/),
  fc.constantFrom(
    'AI',
    'AIza',
    'AQ.',
    'ya29.',
    '1//',
    '1//0',
    'eyJ',
    'eyJhbGci.',
    'GOCSPX',
    'auth_tokens/',
    'projects/',
    'projects/x/',
    '"handle"',
    '"handle": "',
    '"client_secret',
    '-----BEGIN ',
    '\\',
    '\\u00',
    '%2',
    '"',
    '\r\n\r\n',
    'data: {"a": 1}\r\n\r\n',
    'QUl',
    'UUl',
    'own-format',
    'LS0tLS1CRUdJTi',
    'project ',
    'é',
    '\u00ff',
  ),
)

const planted = fc.constantFrom(...PLANTED)

/** A body and everything that must not come out of it. */
const bodies = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: around.map(piece => ({ piece, secret: '' })) },
      {
        weight: 1,
        // A blank on both sides: what merely touches other characters of its kind is a stretch of them.
        arbitrary: planted.map(([piece, secret]) => ({ piece: `\n${piece}\n`, secret })),
      },
    ),
    { maxLength: 12 },
  )
  .map(pieces => ({
    body: pieces
      .map(({ piece }) => piece)
      .join('')
      .replace(/[^\0-\u00ff]/g, '?'),
    secrets: pieces.map(({ secret }) => secret).filter(secret => secret !== ''),
  }))

/** Where to cut: sizes of the pieces, used in turn. */
const cuts = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
)

interface Outcome {
  readonly out: string
  readonly pieces: readonly string[]
  readonly replaced: readonly Replacement[]
  readonly refused: string | undefined
}

function stream(body: string, sizes: readonly number[]): Outcome {
  const redactor = createRedactor(SECRET_RULES)
  redactor.headers([['x-goog-api-key', LEARNED]])
  const by = redactor.body()
  const results: RedactedBytes[] = []
  const all = bytes(body)
  for (let at = 0, turn = 0; at < all.length; turn += 1) {
    const end = at + (sizes[turn % sizes.length] ?? 1)
    results.push(by.push(all.subarray(at, end)))
    at = end
  }
  results.push(by.end())
  const pieces = results.map(result => text(result.bytes))
  return {
    out: pieces.join(''),
    pieces,
    replaced: results.flatMap(result => result.replaced),
    refused: results.at(-1)?.refused,
  }
}

describe('a body cut anywhere', () => {
  it('comes out as if it had come whole, without a secret in it', () => {
    fc.assert(
      fc.property(bodies, cuts, ({ body, secrets }, sizes) => {
        const whole = stream(body, [Math.max(1, body.length)])
        const cut = stream(body, sizes)
        expect([cut.out, cut.replaced, cut.refused]).toEqual([whole.out, whole.replaced, whole.refused])
        if (!/(?:handle|client_secret)[^\n]*"[^"]*$/.test(body)) {
          for (const secret of secrets) expect(cut.out).not.toContain(secret)
        }
      }),
      { numRuns: 600 },
    )
  })

  it('is held back from where the longest secret may begin, though a shorter may begin within', () => {
    const redactor = createRedactor(SECRET_RULES)
    // The base64 of a key's prefix stands in the middle of this one.
    redactor.headers([['x-goog-api-key', '.QVEu-own-key']])
    const body = redactor.body()
    expect(text(body.push(bytes('a .QVEu')).bytes)).toBe('a ')
    expect(text(body.push(bytes('-own-key\n')).bytes)).toBe('redacted-api-key-1\n')
  })

  it('says exactly what was replaced', () => {
    fc.assert(
      fc.property(bodies, cuts, ({ body }, sizes) => {
        const { out, replaced } = stream(body, sizes)
        let original = 0
        let written = 0
        for (const { at, was, is } of replaced) {
          const same = at - original
          expect(out.slice(written, written + same)).toBe(body.slice(original, at))
          written += same
          expect(out.slice(written, written + is)).toMatch(/redacted-[a-z-]+-\d+$/)
          written += is
          original = at + was
        }
        expect(out.slice(written)).toBe(body.slice(original))
      }),
      { numRuns: 200 },
    )
  })

  it('comes out the same when it is redacted again', () => {
    fc.assert(
      fc.property(bodies, ({ body }) => {
        const { out } = stream(body, [body.length + 1])
        fc.pre(!out.includes('client_secret') && !out.includes('handle'))
        expect(stream(out, [out.length + 1]).out).toBe(out)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a key inside base64, cut anywhere', () => {
  const KEYS = [API_KEY, AUTH_KEY, ACCESS_TOKEN, REFRESH_TOKEN, CLIENT_SECRET, EPHEMERAL, PEM]

  it('is refused, and nothing of it comes out', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KEYS),
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('base64' as const, 'base64url' as const),
        fc.constantFrom(0, 64, 76),
        cuts,
        (key, before, alphabet, width, sizes) => {
          const sealed = Buffer.concat([before, Buffer.from(`${key}\n`)]).toString(alphabet)
          const lines = width === 0 ? sealed : sealed.replace(new RegExp(`.{${width}}`, 'g'), '$&\\n')
          const { out, refused } = stream(`{"data":"${lines}"}`, sizes)
          expect(refused).toBeDefined()
          const written = out.slice('{"data":"'.length).replaceAll('\\n', '')
          expect(Buffer.from(written, alphabet).length).toBeLessThanOrEqual(before.length + 1)
        },
      ),
      { numRuns: 600 },
    )
  })
})

describe('base64 of media', () => {
  it.each(['base64', 'base64url'] as const)(
    'is never changed nor refused: a megabyte at random, %s',
    alphabet => {
      // A generator of its own, so that every run sees the same bytes.
      let state = 0x2545f491
      const media = Uint8Array.from({ length: 786_432 }, () => {
        state ^= state << 13
        state ^= state >>> 17
        state ^= state << 5
        return state & 0xff
      })
      const encoded = Buffer.from(media).toString(alphabet)
      const body = `{"data":"${encoded}","thoughtSignature":"${encoded.slice(7, 4007)}"}`
      const { out, replaced, refused } = stream(body, [1460, 16_384, 7, 65_536])
      expect([out === body, replaced, refused]).toEqual([true, [], undefined])
    },
  )

  it('is never changed where a stretch of it looks like a key', () => {
    const stretches = [API_KEY, 'AQ.', REFRESH_TOKEN.replaceAll('/', 'x'), REFRESH_TOKEN, `eyJ${API_KEY}`]
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9+/]{1,40}$/),
        fc.constantFrom(...stretches),
        fc.stringMatching(/^[A-Za-z0-9+/]{0,40}={0,2}$/),
        cuts,
        (before, stretch, after, sizes) => {
          const body = `{"thoughtSignature":"${before}${stretch}${after}"}`
          expect(stream(body, sizes).out).toBe(body)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is never changed, whatever it begins with', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('AIza', 'AQ', 'eyJ', '1//0', 'ya29', 'GOCSPX'),
        fc.uint8Array({ minLength: 160, maxLength: 400 }),
        cuts,
        (start, media, sizes) => {
          const encoded = Buffer.from(media).toString('base64')
          // A run without plus and slash that long is one in ten million: a key's length is not.
          fc.pre(/[+/]/.test(encoded.slice(0, 30)) || start === 'eyJ')
          const body = `{"thoughtSignature":"${start}${encoded}"}`
          expect(stream(body, sizes).out).toBe(body)
        },
      ),
      { numRuns: 300 },
    )
  })
})
