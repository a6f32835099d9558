/** What comes out of headers, URLs, texts and bodies, as literals. */
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

function redactor(): Redactor {
  return createRedactor(SECRET_RULES)
}

function bodyOf(content: string, by: Redactor = redactor()): string {
  const body = by.body()
  return text(body.push(bytes(content)).bytes) + text(body.end().bytes)
}

describe('a header field', () => {
  const FIELDS: readonly (readonly [string, string, string])[] = [
    ['x-goog-api-key', API_KEY, 'redacted-api-key-1'],
    ['X-Goog-Api-Key', 'short', 'redacted-api-key-1'],
    ['authorization', `Bearer ${ACCESS_TOKEN}`, 'Bearer redacted-token-1'],
    ['Authorization', `Token ${EPHEMERAL}`, 'Token auth_tokens/redacted-auth-token-1'],
    ['authorization', 'Basic dXNlcjpwYXNz', 'Basic redacted-token-1'],
    ['authorization', 'opaque', 'redacted-token-1'],
    ['proxy-authorization', 'Basic dXNlcjpwYXNz', 'Basic redacted-token-1'],
    ['cookie', 'SID=abc; theme=dark', 'redacted-cookie-1'],
    ['cookie', '', ''],
    ['set-cookie', 'SID=abc; Path=/; Secure', 'redacted-cookie-1'],
    ['x-goog-user-project', 'sample-project', 'redacted-project-1'],
    ['x-goog-iam-authorization-token', 'anything', 'redacted-token-1'],
    ['x-goog-iam-authority-selector', 'anything', 'redacted-token-1'],
    ['x-guploader-uploadid', 'ABPtcP', 'redacted-upload-id-1'],
    ['x-goog-api-client', 'google-genai-sdk/3.3.0 gl-node/v22', 'google-genai-sdk/3.3.0 gl-node/v22'],
    ['referer', `https://app.test/?key=${API_KEY}&a=b`, 'https://app.test/?key=redacted-api-key-1&a=b'],
    [
      'x-goog-upload-url',
      'https://g.test/upload/v1beta/files?upload_id=ABPtcP_1&upload_protocol=resumable',
      'https://g.test/upload/v1beta/files?upload_id=redacted-upload-id-1&upload_protocol=resumable',
    ],
    ['x-custom', `key ${API_KEY}`, 'key redacted-api-key-1'],
    ['authorization', 'Bearer redacted-token-7', 'Bearer redacted-token-7'],
  ]

  it.each(FIELDS)('%s: %s is written as %s', (name, value, expected) => {
    expect(redactor().headers([[name, value]])).toEqual([[name, expected]])
  })
})

describe('a URL', () => {
  const URLS: readonly (readonly [string, string])[] = [
    [
      `/v1beta/models/m:generateContent?key=${API_KEY}`,
      '/v1beta/models/m:generateContent?key=redacted-api-key-1',
    ],
    ['/v1/models?a=1&key=x&b=2#f', '/v1/models?a=1&key=redacted-api-key-1&b=2#f'],
    ['/v1/models?%6Bey=x', '/v1/models?%6Bey=redacted-api-key-1'],
    ['/v1/models?KEY=x', '/v1/models?KEY=redacted-api-key-1'],
    [
      `wss://g.test/ws/x?access_token=${EPHEMERAL}`,
      'wss://g.test/ws/x?access_token=auth_tokens/redacted-auth-token-1',
    ],
    [
      `/ws/x?access_token=${EPHEMERAL.replace('/', '%2F')}`,
      '/ws/x?access_token=auth_tokens/redacted-auth-token-1',
    ],
    [`/v1alpha/${EPHEMERAL}`, '/v1alpha/auth_tokens/redacted-auth-token-1'],
    [
      '/v1beta1/projects/p-1/locations/l/models/m',
      '/v1beta1/projects/redacted-project-1/locations/l/models/m',
    ],
    [
      '/v1beta1%2Fprojects%2fp-1%2Flocations%2Fl/interactions',
      '/v1beta1%2Fprojects%2fredacted-project-1%2Flocations%2Fl/interactions',
    ],
    ['/v1/projects/12345', '/v1/projects/redacted-project-1'],
    ['/v1/projects//p-1', '/v1/projects//redacted-project-1'],
    ['/v1/projects/redacted-project-4/locations/l', '/v1/projects/redacted-project-4/locations/l'],
    ['/upload/v1beta/files?upload_id=Ab_1', '/upload/v1beta/files?upload_id=redacted-upload-id-1'],
    ['https://user:pass@g.test/x', 'https://redacted-user-1@g.test/x'],
    ['/v1/models?key=', '/v1/models?key='],
    ['/v1/models/m%zz?key=%zz', '/v1/models/m%zz?key=redacted-api-key-1'],
    ['/v1/models?pageSize=5', '/v1/models?pageSize=5'],
    [`/v1/tokens/${REFRESH_TOKEN}/x?y=1`, '/v1/tokens/redacted-refresh-token-1/x?y=1'],
    [`/v1/tokens/${encodeURIComponent(REFRESH_TOKEN)}/x`, '/v1/tokens/redacted-refresh-token-1/x'],
    [`/v1/tokens%2F${encodeURIComponent(REFRESH_TOKEN)}`, '/v1/tokens%2Fredacted-refresh-token-1'],
    [`/v1?t=${encodeURIComponent(REFRESH_TOKEN)}&a=b`, '/v1?t=redacted-refresh-token-1&a=b'],
    [`/v1?next=/a/${API_KEY}/b`, '/v1?next=/a/redacted-api-key-1/b'],
    [
      `/v1?next=${encodeURIComponent(`/a?t=${encodeURIComponent(REFRESH_TOKEN)}`)}`,
      '/v1?next=%2Fa%3Ft%3Dredacted-refresh-token-1',
    ],
    [
      `/v1?next=${encodeURIComponent('https://g.test/?a=1&access_token=own-format&b=2#c')}`,
      '/v1?next=https%3A%2F%2Fg.test%2F%3Fa%3D1%26access_token%3Dredacted-token-1%26b%3D2%23c',
    ],
    ['/v1?next=%2Fa%3Fb%3D1%26c', '/v1?next=%2Fa%3Fb%3D1%26c'],
    [
      `/v1/keys/${encodeURIComponent(PEM)}`,
      `/v1/keys/${encodeURIComponent(PEM_BEGIN)}redacted-private-key-1${encodeURIComponent(PEM_END)}%0A`,
    ],
    [
      `/v1?pem=${encodeURIComponent(PEM)}&a=b`,
      `/v1?pem=${encodeURIComponent(PEM_BEGIN)}redacted-private-key-1${encodeURIComponent(PEM_END)}%0A&a=b`,
    ],
  ]

  it.each(URLS)('%s is written as %s', (url, expected) => {
    expect(redactor().url(url)).toBe(expected)
  })
})

describe('a body', () => {
  const BODIES: readonly (readonly [string, string, string])[] = [
    ['a key', `see ${API_KEY}.`, 'see redacted-api-key-1.'],
    ['a key after an escaped line break', `"x\\n${API_KEY}\\n"`, '"x\\nredacted-api-key-1\\n"'],
    [
      'a key in a form',
      `a=%22${API_KEY}%22&key=${API_KEY}`,
      'a=%22redacted-api-key-1%22&key=redacted-api-key-1',
    ],
    ['a new key', `"${AUTH_KEY}"`, '"redacted-api-key-1"'],
    ['an access token at a sentence end', `is ${ACCESS_TOKEN}.`, 'is redacted-token-1.'],
    ['a refresh token', `"${REFRESH_TOKEN}"`, '"redacted-refresh-token-1"'],
    ['an escaped refresh token', `"${REFRESH_TOKEN.replaceAll('/', '\\/')}"`, '"redacted-refresh-token-1"'],
    ['a client secret', `secret ${CLIENT_SECRET},`, 'secret redacted-client-secret-1,'],
    ['an ephemeral token', `{"name": "${EPHEMERAL}"}`, '{"name": "auth_tokens/redacted-auth-token-1"}'],
    [
      'an escaped ephemeral token',
      `{"name":"${EPHEMERAL.replace('/', '\\u002f')}"}`,
      '{"name":"auth_tokens\\u002fredacted-auth-token-1"}',
    ],
    ['a JSON Web Token', `assertion=${JWT}&x`, 'assertion=redacted-token-1&x'],
    [
      'base64 of JSON, which is none',
      '"eyJhIjoxMjM0NTY3ODkwMTIzNDU2Nzg5MH0"',
      '"eyJhIjoxMjM0NTY3ODkwMTIzNDU2Nzg5MH0"',
    ],
    ['a PEM', PEM, `${PEM_BEGIN}redacted-private-key-1${PEM_END}\n`],
    ['a project in a model', '"projects/p1/locations/l/x"', '"projects/redacted-project-1/locations/l/x"'],
    ['a project number', 'in project 123456789 before', 'in project redacted-project-1 before'],
    ['a project number in a link', '?project=123456789"', '?project=redacted-project-1"'],
    ['a consumer', '"projects/123456789"', '"projects/redacted-project-1"'],
    ['a consumer of a quota', "'project_number:123456789'", "'project_number:redacted-project-1'"],
    ['a folder of projects', 'ls projects/website/src', 'ls projects/website/src'],
    ['a year in a project', 'project 2026 ends', 'project 2026 ends'],
    ['a handle', `{"newHandle": "${HANDLE}"}`, '{"newHandle": "redacted-session-handle-1"}'],
    ['a handle, any spacing', `{"handle"\n :\t"${HANDLE}"}`, '{"handle"\n :\t"redacted-session-handle-1"}'],
    ['a short handle', '{"handle": "@ada"}', '{"handle": "@ada"}'],
    [
      'a field that is no string',
      '{"handle": {"a": 1}, "access_token": null}',
      '{"handle": {"a": 1}, "access_token": null}',
    ],
    ['a field with escapes', '{"client_secret":"a\\"b\\\\"}', '{"client_secret":"redacted-client-secret-1"}'],
    [
      'a header handed to a tool',
      '{"headers":{"Authorization":"Bearer abc"}}',
      '{"headers":{"Authorization":"Bearer redacted-token-1"}}',
    ],
    [
      'a field in JSON in a string',
      '{"text":"{\\"client_secret\\": \\"a\\\\\\"b\\"}"}',
      '{"text":"{\\"client_secret\\": \\"redacted-client-secret-1\\"}"}',
    ],
    ['a cut-off key at the end', API_KEY.slice(0, 20), 'redacted-api-key-1'],
    ['a cut-off field at the end', '{"client_secret": "abc', '{"client_secret": "redacted-client-secret-1'],
    ['the beginning of nothing', 'AIz', 'AIz'],
    ['a placeholder', '"auth_tokens/redacted-auth-token-3"', '"auth_tokens/redacted-auth-token-3"'],
    ['a longer word', `x${API_KEY}`, `x${API_KEY}`],
    ['a stretch of base64', `${API_KEY}+abc=`, `${API_KEY}+abc=`],
    ['a signed link', `X-Goog-Signature=${'0a'.repeat(40)}"`, 'X-Goog-Signature=redacted-signed-url-1"'],
  ]

  it.each(BODIES)('with %s is written without it', (_what, content, expected) => {
    expect(bodyOf(content)).toBe(expected)
  })

  it('holds nothing of a service-account file but what names no one', () => {
    const safe = bodyOf(SERVICE_ACCOUNT)
    expect(JSON.parse(safe)).toEqual({
      type: 'service_account',
      project_id: 'sample-project',
      private_key_id: 'redacted-private-key-id-1',
      private_key: 'redacted-private-key-1',
      client_email: 'redacted-service-account-1',
    })
  })

  it('holds no private key of a file that stands in a string of it', () => {
    const safe = bodyOf(JSON.stringify({ text: SERVICE_ACCOUNT }))
    expect(safe).not.toContain(PEM_BODY)
    expect(safe).not.toContain('0123456789abcdef')
  })

  it.each([
    ['a field name', '{"client_secret"'],
    ['a field that has no value yet', '{"client_secret" : '],
    ['a project', 'projects/sample'],
    ['the path after a project', 'projects/sample/loc'],
    ['an escape', 'own-format\\'],
    ['base64 that could hold a key', `"${Buffer.from(API_KEY.slice(0, 8)).toString('base64')}`],
    [
      'base64 that could hold a key, after an escape',
      `"${Buffer.from(API_KEY.slice(0, 9)).toString('base64')}\\`,
    ],
  ])('that ends in %s is written to its end', (_what, content) => {
    const by = redactor()
    by.headers([['x-goog-api-key', 'own-format/key']])
    expect(bodyOf(content, by)).toBe(content)
  })

  it('that ends within a key in base64 stops the recording', () => {
    const body = redactor().body()
    body.push(bytes(`"${Buffer.from(API_KEY.slice(0, 15)).toString('base64')}`))
    expect(body.end()).toEqual({ bytes: new Uint8Array(), replaced: [], refused: 'api-key' })
  })

  it('is left alone where something is longer than any key', () => {
    const content = `${API_KEY.repeat(2)} {"handle": "${'x'.repeat(70_000)}"}`
    expect(bodyOf(content)).toBe(content)
  })

  it('stops the recording where a secret has no end', () => {
    const body = redactor().body()
    const { bytes: out, refused } = body.push(bytes(`{"client_secret": "${'x'.repeat(70_000)}`))
    expect([text(out), refused, body.held]).toEqual(['{"client_secret": "', 'client-secret', 0])
    expect(
      redactor()
        .body()
        .push(bytes(`{"client_secret"${' '.repeat(70_000)}`)).refused,
    ).toBe('client-secret')
  })

  it('says where in the original something was replaced', () => {
    const body = redactor().body()
    const { bytes: out, replaced } = body.push(bytes(`a ${API_KEY} b ${CLIENT_SECRET} p`))
    expect(text(out)).toBe('a redacted-api-key-1 b redacted-client-secret-1 ')
    expect(replaced).toEqual([
      { at: 2, was: 39, is: 18 },
      { at: 44, was: 35, is: 24 },
    ])
    expect(body.held).toBe(1)
  })

  it('is handed out at once where nothing can begin a secret', () => {
    const body = redactor().body()
    expect(text(body.push(bytes('data: {}\r\n\r\n')).bytes)).toBe('data: {}\r\n\r\n')
    expect(body.held).toBe(0)
  })

  it('is held back from where a secret may begin', () => {
    const body = redactor().body()
    expect(text(body.push(bytes(`data: ${API_KEY.slice(0, 12)}`)).bytes)).toBe('data: ')
    expect(body.held).toBe(12)
  })

  it('keeps bytes that are not ASCII', () => {
    const body = redactor().body()
    const raw = Uint8Array.from({ length: 256 }, (_, index) => index)
    expect([...body.push(raw).bytes, ...body.end().bytes]).toEqual([...raw])
  })
})

describe('the same secret', () => {
  it('is looked for again in an address that was asked for before it was known', () => {
    const by = redactor()
    const url = '/v1beta/files/tok.en-42-and-more'
    expect(by.url(url)).toBe(url)
    by.headers([['authorization', 'Bearer tok.en-42-and-more']])
    // Whoever asks meanwhile takes note of what was learned.
    by.text('anything')
    expect(by.url(url)).toBe('/v1beta/files/redacted-token-1')
  })

  it('has the same placeholder wherever it stands', () => {
    const by = redactor()
    expect(by.headers([['x-goog-api-key', API_KEY]])).toEqual([['x-goog-api-key', 'redacted-api-key-1']])
    expect(by.url(`/?key=${API_KEY}`)).toBe('/?key=redacted-api-key-1')
    expect(by.text(`bad key ${API_KEY}`)).toBe('bad key redacted-api-key-1')
    expect(bodyOf(`{"k":"${API_KEY}"}`, by)).toBe('{"k":"redacted-api-key-1"}')
    expect(by.url(`/?key=${AUTH_KEY}`)).toBe('/?key=redacted-api-key-2')
  })

  it('is found by value once it stood in a header or a URL, whatever its shape', () => {
    const by = redactor()
    by.headers([['x-goog-api-key', 'own-format/key+1=']])
    by.url('/v1/projects/sample-project/locations/l?access_token=tok.en-42')
    expect(bodyOf('own-format/key+1= own-format\\/key%2B1\\u003d tok.en-42 sample-project', by)).toBe(
      'redacted-api-key-1 redacted-api-key-1 redacted-token-1 redacted-project-1',
    )
  })

  it('is found by value in a body that had begun before', () => {
    const by = redactor()
    const body = by.body()
    body.push(bytes('.'))
    by.headers([['x-goog-api-key', 'own-format-key']])
    expect(text(body.push(bytes(' own-format-key.')).bytes)).toBe(' redacted-api-key-1.')
  })

  it('is found by value where a cookie had it', () => {
    const by = redactor()
    by.headers([['cookie', 'theme=dark; SID=abcdefgh12345678']])
    expect(bodyOf('theme dark, abcdefgh12345678', by)).toBe('theme dark, redacted-cookie-2')
  })

  it('is not looked for where it is a word of other words', () => {
    const by = redactor()
    by.headers([
      ['x-goog-api-key', 'none'],
      ['cookie', 'a=b'],
      ['x-goog-user-project', 'speech-1'],
      ['x-goog-api-key', 'placeholder'],
    ])
    const content = 'none a=b my-speech-1 speech-12 placeholder'
    expect(bodyOf(content, by)).toBe(content)
  })

  it('is a placeholder already where a replay is recorded, and its number is not given again', () => {
    const by = redactor()
    expect(by.headers([['x-goog-api-key', 'redacted-api-key-3']])[0]).toEqual([
      'x-goog-api-key',
      'redacted-api-key-3',
    ])
    expect(by.headers([['x-goog-api-key', API_KEY]])[0]).toEqual(['x-goog-api-key', 'redacted-api-key-4'])
  })
})

describe('a key inside base64', () => {
  const KEYS = {
    API_KEY,
    AUTH_KEY,
    ACCESS_TOKEN,
    REFRESH_TOKEN,
    CLIENT_SECRET,
    EPHEMERAL,
    PEM,
    SERVICE_ACCOUNT,
  }
  const CASES = Object.entries(KEYS).flatMap(([name, key]) =>
    [0, 1, 2].flatMap(offset =>
      (['base64', 'base64url'] as const).map(alphabet => ({ name, key, offset, alphabet })),
    ),
  )

  it.each(CASES)(
    'stops the recording: $name at byte $offset of a group, $alphabet',
    ({ key, offset, alphabet }) => {
      const sealed = Buffer.from(`${'~'.repeat(30 + offset)}${key} and more`).toString(alphabet)
      const body = redactor().body()
      const { bytes: out, refused } = body.push(bytes(`{"data":"${sealed}"}`))
      expect(refused).toBeDefined()
      const written = Buffer.from(text(out).slice(9), alphabet).toString('latin1')
      expect(written).toMatch(
        /^~{28,}(\{\s+"type": "service_account",\s+"project_id": "sample-project",\s+)?$/,
      )
      expect(body.end()).toEqual({ bytes: new Uint8Array(), replaced: [], refused })
    },
  )

  it('is found across line breaks', () => {
    const wrapped = Buffer.from(`${'~'.repeat(30)}${API_KEY}`)
      .toString('base64')
      .replace(/.{44}/g, '$&\\n')
    expect(
      redactor()
        .body()
        .push(bytes(`"${wrapped}"`)).refused,
    ).toBe('api-key')
  })

  it('takes the rest of a text with it', () => {
    const sealed = Buffer.from(API_KEY).toString('base64')
    expect(redactor().text(`see ${sealed} there`)).toBe('see redacted-api-key-1')
  })
})
