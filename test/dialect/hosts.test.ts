/** Where requests and uploads go. */
import { describe, expect, it } from 'vitest'
import {
  isUploadAddress,
  STORED_UPLOAD_ORIGIN,
  toServedUploadUrl,
  toStoredUploadUrl,
} from '../../src/dialect/upload.ts'
import { vertexOriginOf, vertexPlaceOf } from '../../src/dialect/vertex.ts'

describe('a Vertex request', () => {
  it.each([
    [
      '/v1beta1/projects/p/locations/us-central1/publishers/google/models/m:generateContent',
      'us-central1-aiplatform.googleapis.com',
    ],
    ['/v1beta1/projects/p/locations/europe-west4/interactions?a=1', 'europe-west4-aiplatform.googleapis.com'],
    ['/v1beta1%2Fprojects%2Fp%2flocations%2Fasia-east1/interactions', 'asia-east1-aiplatform.googleapis.com'],
    ['//v1//projects/p/locations/us-west1/x', 'us-west1-aiplatform.googleapis.com'],
    ['/v1beta1/projects/p/locations/global/publishers/google/models/m:predict', 'aiplatform.googleapis.com'],
    ['/v1beta1/projects/p/locations/us/x', 'aiplatform.us.rep.googleapis.com'],
    ['/v1beta1/projects/p/locations/eu/x', 'aiplatform.eu.rep.googleapis.com'],
    ['/v1beta1/publishers/google/models/m:generateContent', 'aiplatform.googleapis.com'],
    ['/v1beta1/interactions', 'aiplatform.googleapis.com'],
    ['/v1/x?p=/projects/p/locations/us-west1/', 'aiplatform.googleapis.com'],
    ['/v1/projects/p/locations/evil.test%23/x', 'aiplatform.googleapis.com'],
    ['/v1/projects/p/locations/a@evil/x', 'aiplatform.googleapis.com'],
  ])('%s goes to %s', (path, host) => {
    expect(vertexOriginOf(path)).toBe(`https://${host}`)
  })
})

describe('an upload address', () => {
  const ADDRESS =
    'https://generativelanguage.googleapis.com/upload/v1beta/files?upload_id=u&upload_protocol=resumable'

  it('is in these header fields', () => {
    expect(['x-goog-upload-url', 'x-goog-upload-control-url', 'location'].map(isUploadAddress)).toEqual([
      true,
      true,
      false,
    ])
  })

  it('is stored with an origin that never resolves', () => {
    expect(toStoredUploadUrl(ADDRESS)).toBe(
      `${STORED_UPLOAD_ORIGIN}/upload/v1beta/files?upload_id=u&upload_protocol=resumable`,
    )
  })

  it('is served with the origin at which the client came', () => {
    expect(toServedUploadUrl(toStoredUploadUrl(ADDRESS), 'http://127.0.0.1:8080/t/$&')).toBe(
      'http://127.0.0.1:8080/t/$&/upload/v1beta/files?upload_id=u&upload_protocol=resumable',
    )
  })
})

describe('a recorded URL', () => {
  const models = 'publishers/google/models/m:generateContent'
  it.each([
    [
      `https://us-central1-aiplatform.googleapis.com/v1/projects/p-1/locations/us-central1/${models}`,
      'p-1',
      'us-central1',
    ],
    [`https://aiplatform.eu.rep.googleapis.com/v1/projects/p-1/locations/eu/${models}`, 'p-1', 'eu'],
    ['http://127.0.0.1:80/v1beta1%2Fprojects%2Fp-1%2Flocations%2Fglobal%2Finteractions', 'p-1', 'global'],
    [`https://aiplatform.googleapis.com/v1/${models}`, undefined, undefined],
    [`http://127.0.0.1:80/v1/${models}`, undefined, undefined],
    [
      'wss://proxy.example/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent',
      undefined,
      undefined,
    ],
  ])('of Vertex says so: %s', (url, project, location) => {
    expect(vertexPlaceOf(url)).toEqual({ project, location })
  })

  it.each([
    'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent',
    'https://generativelanguage.googleapis.com/v1beta/interactions?about=aiplatform.googleapis.com',
    'https://notaiplatform.googleapis.com.example/v1/models/m',
  ])('of the other API is none: %s', url => {
    expect(vertexPlaceOf(url)).toBeUndefined()
  })
})
