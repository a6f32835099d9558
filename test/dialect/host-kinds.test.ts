/** What the hosts are that a client of the service talks to. */
import { describe, expect, it } from 'vitest'
import { hostKind, servesModels, sideOf } from '../../src/dialect/hosts.ts'

describe('a host', () => {
  it.each([
    ['generativelanguage.googleapis.com', 'service', 'developer'],
    ['us-central1-aiplatform.googleapis.com', 'service', 'vertex'],
    ['aiplatform.googleapis.com', 'service', 'vertex'],
    ['aiplatform.eu.rep.googleapis.com', 'service', 'vertex'],
    ['us-central1-aiplatform.mtls.googleapis.com', 'service', 'vertex'],
    ['storage.googleapis.com', 'service', undefined],
    ['oauth2.googleapis.com', 'token', undefined],
    ['sts.googleapis.com', 'token', undefined],
    ['iamcredentials.mtls.googleapis.com', 'token', undefined],
    ['GENERATIVELANGUAGE.googleapis.com', 'service', 'developer'],
    ['googleapis.com', 'foreign', undefined],
    ['googleapis.com.evil.example', 'foreign', undefined],
    ['evilgoogleapis.com', 'foreign', undefined],
    ['.googleapis.com', 'foreign', undefined],
    ['127.0.0.1', 'foreign', undefined],
  ] as const)('%s is %s, side %s', (host, kind, side) => {
    expect([hostKind(host), sideOf(host)]).toEqual([kind, side])
  })
})

describe('where models answer', () => {
  it.each([
    'generativelanguage.googleapis.com',
    'generativelanguage.mtls.googleapis.com',
    'autopush-generativelanguage.sandbox.googleapis.com',
    'us-central1-aiplatform.googleapis.com',
    'aiplatform.eu.rep.googleapis.com',
    'CloudCode-PA.googleapis.com',
  ])('is %s', host => expect(servesModels(host)).toBe(true))

  it.each(['firestore.googleapis.com', 'storage.googleapis.com', 'notaiplatforms.googleapis.com'])(
    'is not %s',
    host => expect(servesModels(host)).toBe(false),
  )
})
