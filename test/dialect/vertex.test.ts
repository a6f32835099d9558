/** Which requests to Vertex say neither in whose project nor who asks. */
import { expect, it } from 'vitest'
import { isAnonymous } from '../../src/dialect/vertex.ts'

const MODEL = 'publishers/google/models/m:generateContent'

it.each([
  ['/', [], true],
  [`/v1beta1/${MODEL}`, [['content-type', 'application/json']], true],
  [`/v1beta1/${MODEL}`, [['X-Goog-Api-Key', 'k']], false],
  [`/v1beta1/${MODEL}?key=k`, [], false],
  [`/v1beta1/projects/p/locations/global/${MODEL}`, [], false],
  [
    '/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent',
    [['Authorization', 'Bearer t']],
    false,
  ],
] as const)('%s with %j: %s', (path, headers, is) => {
  expect(isAnonymous(path, headers)).toBe(is)
})
