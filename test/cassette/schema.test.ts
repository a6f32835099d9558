/** The JSON Schema agrees with the reader where a schema can: editors complain about what the reader refuses. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import schema from '../../schema/cassette-1.schema.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)

/** What the schema says about each document of a text, as an editor would show it. */
function complaints(text: string): string[] {
  return parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' }).flatMap(document => {
    if (validate(document.toJS())) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
  })
}

const request = { method: 'POST', url: 'https://example.com/v1/models/m:generateContent' }

function exchange(over: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { exchange: 'generate-content', request, response: { status: 200 }, end: {}, ...over }
}

function socket(messages: readonly unknown[]): Readonly<Record<string, unknown>> {
  return { exchange: 'live', request: { url: 'wss://example.com/ws' }, messages, end: {} }
}

describe('every shipped cassette', () => {
  it.each(
    readdirSync(resolve(root, 'cassettes'), { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.cassette.yaml'),
    ),
  )('%s is valid', file => {
    expect(complaints(readFileSync(resolve(root, 'cassettes', file), 'utf8'))).toEqual([])
  })
})

describe('the schema accepts', () => {
  it.each([
    [
      'a header with everything',
      {
        cassette: 1,
        recorded: '2026-11-30T10:12:04Z',
        by: 'a',
        client: 'b',
        note: 'c',
        expires: '2027-01-31',
      },
    ],
    ['a key of ones own', exchange({ 'x-ticket': 17 })],
    ['a repeated header', exchange({ response: { status: 200, headers: { via: ['a', 'b'] } } })],
    ['an exchange that was never answered', { exchange: 'unknown', request, end: { how: 'upstream-error' } }],
    [
      'cuts with and without times',
      exchange({ response: { status: 200, cuts: ['0@3', 4, '7@9.125'], body: 'abcdefgh' } }),
    ],
    ['raw text', exchange({ response: { status: 200, events: [{ raw: ': ping' }] } })],
    [
      'a socket with everything',
      socket([
        { at: 3, client: {} },
        { frame: 'text', server: 'a' },
        { 'server-base64': '/w==' },
        { close: { by: 'server', code: 1011, reason: 'b' } },
      ]),
    ],
    ['a socket that was refused', { ...socket([]), messages: undefined, response: { status: 403 } }],
    ['packed blobs', { packed: 1, blobs: { 'a.png': 'AAAA\nAAAA\n' }, end: {} }],
    ['an allowed check', exchange({ 'x-lint-allow': ['usage-missing'] })],
    ['a JSON null as a body', exchange({ response: { status: 200, body: null } })],
  ])('%s', (_what, document) => {
    expect(validate(document)).toBe(true)
  })
})

describe('the schema refuses', () => {
  it.each([
    ['an unknown key', exchange({ respones: {} })],
    ['an unknown key in the header', { cassette: 1, recordet: 'x' }],
    ['another format', { cassette: 2 }],
    ['a header and an exchange in one', { ...exchange({}), cassette: 1 }],
    ['an exchange without end', { exchange: 'unknown', request, response: { status: 200 } }],
    ['an exchange without a response that ended well', { exchange: 'unknown', request, end: {} }],
    ['a body and events', exchange({ response: { status: 200, body: 'a', events: [] } })],
    ['two payloads in one event', exchange({ response: { status: 200, events: [{ data: 'a', raw: 'b' }] } })],
    ['two payloads in one request', exchange({ request: { ...request, body: 'a', 'body-base64': 'YQ==' } })],
    ['an event without content', exchange({ response: { status: 200, events: [{ at: 3 }] } })],
    [
      'a joined event with a time',
      exchange({ response: { status: 200, events: [{ joined: true, at: 3, data: 'a' }] } }),
    ],
    ['cuts without a body', exchange({ response: { status: 200, cuts: [3], events: [] } })],
    ['a header name in upper case', exchange({ response: { status: 200, headers: { Via: 'a' } } })],
    ['a header that is a number', exchange({ response: { status: 200, headers: { age: 7 } } })],
    ['a lower-case method', exchange({ request: { ...request, method: 'post' } })],
    ['a relative url', exchange({ request: { ...request, url: '/v1/models' } })],
    ['an end of an unknown kind', exchange({ end: { how: 'crash' } })],
    ['a blob outside of its folder', exchange({ blobs: { '../a.png': 3 } })],
  ])('%s', (_what, document) => {
    expect(validate(document)).toBe(false)
  })
})

describe('files that the reader refuses', () => {
  /** What needs the text, the order of keys, the bytes on the wire, or a comparison of two values. */
  const BEYOND = [
    'alias-in-itself',
    'blanks-end-a-block',
    'blob-not-listed',
    'blob-reference-in-a-text',
    'blob-reference-too-long',
    'carriage-return',
    'close-reason-long',
    'control-character',
    'cut-endless',
    'cut-order',
    'cut-outside-body',
    'cut-outside-event',
    'directive',
    'duplicate-key',
    'duplicate-key-in-payload',
    'empty-file',
    'empty-item',
    'empty-value',
    'empty-value-with-comment',
    'end-not-last',
    'exchange-twice',
    'header-missing',
    'joined-first',
    'message-after-close',
    'message-not-utf8',
    'message-reference-too-long',
    'not-utf8',
    'number-as-key',
    'only-comments',
    'packed-base64',
    'packed-not-last',
    'payload-capital-true',
    'payload-comment',
    'payload-hexadecimal',
    'payload-infinity',
    'payload-key-order',
    'payload-long-integer',
    'payload-minus-zero',
    'payload-plus',
    'payload-surrogate',
    'payload-tilde',
    'reason-cut-by-comment',
    'tag',
    'time-goes-back-in-cuts',
    'time-goes-back-in-end',
    'time-goes-back-in-events',
    'time-goes-back-in-messages',
    'time-goes-back-to-response',
    'too-deep',
    'torn-in-its-end',
    'unclosed-bracket',
  ]
  const names = readdirSync(resolve(root, 'test/invalid')).map(file => file.replace('.cassette.yaml', ''))

  it.each(names.filter(name => !BEYOND.includes(name)))('%s is refused by the schema too', name => {
    const text = readFileSync(resolve(root, 'test/invalid', `${name}.cassette.yaml`), 'utf8')
    expect(complaints(text)).not.toEqual([])
  })
})
