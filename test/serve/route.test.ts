import { describe, expect, it } from 'vitest'
import { SERVICE_ORIGIN, vertexOriginOf } from '../../src/dialect/vertex.ts'
import { createRouter } from '../../src/serve/route.ts'

const SELF = 'http://127.0.0.1:8080'
const ADDRESS = '/upload/v1beta/files?upload_id=AB%2F1&upload_protocol=resumable'
const leadsTo = (origin: string) => [['X-Goog-Upload-URL', `${origin}${ADDRESS}`]] as const

describe('a router', () => {
  it('sends a request on unchanged', () => {
    const { origin, path } = createRouter(() => SERVICE_ORIGIN).targetOf('//v1beta/x%2Fy?a=%20&a', SELF)
    expect([origin, path]).toEqual([SERVICE_ORIGIN, '//v1beta/x%2Fy?a=%20&a'])
  })

  it('follows the location of a path', () => {
    const router = createRouter(vertexOriginOf)
    const path = '/v1beta1/projects/p/locations/europe-west4/publishers/g/models/m:x'
    expect(router.targetOf(path, SELF).origin).toBe('https://europe-west4-aiplatform.googleapis.com')
    expect(router.targetOf('/v1beta1/publishers/g/models', SELF).origin).toBe(
      'https://aiplatform.googleapis.com',
    )
  })

  it('shows an upload address of the service as its own, stores it without an origin, and knows the way back', () => {
    const router = createRouter(() => SERVICE_ORIGIN)
    const target = router.targetOf('/upload/v1beta/files', SELF)
    const elsewhere = 'https://www.googleapis.com'
    expect(target.stored(leadsTo(elsewhere))).toEqual(leadsTo('https://upload.wiretape.invalid'))
    expect(target.shown(leadsTo(elsewhere))).toEqual(leadsTo(SELF))
    const { origin, path } = router.targetOf(ADDRESS, SELF)
    expect([origin, path]).toEqual([elsewhere, ADDRESS])
  })

  it.each([
    'http://www.googleapis.com',
    'https://googleapis.com.example',
    'https://example.com',
    'https://xgoogleapis.com',
  ])('leaves an upload address alone that leads to %s: no credential goes there by us', foreign => {
    const router = createRouter(() => SERVICE_ORIGIN)
    expect(router.targetOf('/upload/v1beta/files', SELF).shown(leadsTo(foreign))).toEqual(leadsTo(foreign))
    expect(router.targetOf(ADDRESS, SELF).origin).toBe(SERVICE_ORIGIN)
  })

  it('asks behind the path of a gateway, and records what the client asked for', () => {
    const router = createRouter(() => 'https://gateway.example/gemini/')
    expect(router.targetOf('/v1/models?a=1', SELF)).toMatchObject({
      origin: 'https://gateway.example',
      path: '/gemini/v1/models?a=1',
      recorded: 'https://gateway.example/v1/models?a=1',
    })
  })

  it('lets an upload go on where a gateway said, its path included, once', () => {
    const router = createRouter(() => 'https://gateway.example/gemini')
    const target = router.targetOf('/upload/v1beta/files', SELF)
    const shown = [['X-Goog-Upload-URL', `${SELF}/gemini${ADDRESS}`]]
    expect(target.shown(leadsTo('https://gateway.example/gemini'))).toEqual(shown)
    expect(target.stored(leadsTo('https://gateway.example/gemini'))).toEqual(
      leadsTo('https://upload.wiretape.invalid/gemini'),
    )
    expect(router.targetOf(`/gemini${ADDRESS}`, SELF)).toMatchObject({
      path: `/gemini${ADDRESS}`,
      recorded: `https://gateway.example/gemini${ADDRESS}`,
    })
  })

  it('leaves what is no address alone', () => {
    const target = createRouter(() => SERVICE_ORIGIN).targetOf('/x', SELF)
    const headers = [
      ['x-goog-upload-url', 'none'],
      ['location', `${SERVICE_ORIGIN}/y`],
    ] as const
    expect(target.shown(headers)).toEqual(headers)
  })
})
