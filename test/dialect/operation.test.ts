/** Real paths of the SDKs, and the operations that they ask for. */
import { describe, expect, it } from 'vitest'
import { dialectNamed, operationOf } from '../../src/dialect/operation.ts'

/** Method, URL, dialect, key. */
const ROUTES: readonly (readonly [string, string, string, string])[] = [
  // Models, Gemini API.
  [
    'POST',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
    'generate-content',
    'POST models/gemini-2.5-flash:generateContent',
  ],
  [
    'POST',
    '/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    'generate-content',
    'POST models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  ],
  [
    'POST',
    '/v1beta/models/m:streamGenerateContent',
    'generate-content',
    'POST models/m:streamGenerateContent',
  ],
  [
    'POST',
    '/v1beta/tunedModels/t-1:generateContent',
    'generate-content',
    'POST tunedModels/t-1:generateContent',
  ],
  ['POST', '/v1beta/models/m:countTokens', 'generate-content', 'POST models/m:countTokens'],
  ['POST', '/v1beta/models/m:batchEmbedContents', 'generate-content', 'POST models/m:batchEmbedContents'],
  [
    'POST',
    '/v1beta/models/m:asyncBatchEmbedContent',
    'generate-content',
    'POST models/m:asyncBatchEmbedContent',
  ],
  ['POST', '/v1beta/models/m:predict', 'generate-content', 'POST models/m:predict'],
  ['POST', '/v1beta/models/m:predictLongRunning', 'generate-content', 'POST models/m:predictLongRunning'],
  ['GET', '/v1beta/models/m/operations/o1', 'generate-content', 'GET models/m/operations/o1'],
  ['POST', '/v1beta/models/m:batchGenerateContent', 'generate-content', 'POST models/m:batchGenerateContent'],
  ['GET', '/v1beta/batches/b1', 'generate-content', 'GET batches/b1'],
  ['POST', '/v1beta/batches/b1:cancel', 'generate-content', 'POST batches/b1:cancel'],
  ['GET', '/v1beta/models?pageSize=5', 'generate-content', 'GET models?pageSize=5'],
  ['GET', '/v1beta/models/m', 'generate-content', 'GET models/m'],
  ['GET', '/v1beta/tunedModels', 'generate-content', 'GET tunedModels'],
  ['POST', '/v1beta/cachedContents', 'generate-content', 'POST cachedContents'],
  [
    'PATCH',
    '/v1beta/cachedContents/c?updateMask=ttl',
    'generate-content',
    'PATCH cachedContents/c?updateMask=ttl',
  ],
  ['GET', '/v1beta/operations/o', 'generate-content', 'GET operations/o'],
  ['DELETE', '/v1beta/files/f', 'generate-content', 'DELETE files/f'],
  ['GET', '/v1beta/files/f:download?alt=media', 'generate-content', 'GET files/f:download?alt=media'],
  ['POST', '/v1beta/files:register', 'generate-content', 'POST files:register'],
  ['POST', '/upload/v1beta/files', 'generate-content', 'POST upload/files'],
  [
    'POST',
    '/upload/v1beta/files?upload_id=redacted-upload-id-4&upload_protocol=resumable',
    'generate-content',
    'POST upload/files?upload_id=redacted-upload-id&upload_protocol=resumable',
  ],
  [
    'POST',
    '/upload/v1beta/fileSearchStores/s:uploadToFileSearchStore',
    'generate-content',
    'POST upload/fileSearchStores/s:uploadToFileSearchStore',
  ],
  ['GET', '/v1beta/fileSearchStores/s/documents', 'generate-content', 'GET fileSearchStores/s/documents'],
  ['POST', '/v1beta/fileSearchStores/s:importFile', 'generate-content', 'POST fileSearchStores/s:importFile'],
  ['POST', '/v1alpha/auth_tokens', 'generate-content', 'POST auth_tokens'],
  // Models, Vertex.
  [
    'POST',
    'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/p-1/locations/us-central1/publishers/google/models/m:generateContent',
    'generate-content',
    'POST models/m:generateContent',
  ],
  [
    'POST',
    '/v1beta1/publishers/google/models/m:streamGenerateContent?alt=sse',
    'generate-content',
    'POST models/m:streamGenerateContent?alt=sse',
  ],
  [
    'POST',
    '/v1beta1/projects/p/locations/l/publishers/vendor/models/m:generateContent',
    'generate-content',
    'POST publishers/vendor/models/m:generateContent',
  ],
  [
    'POST',
    '/v1/projects/p/locations/l/publishers/google/models/m:computeTokens',
    'generate-content',
    'POST models/m:computeTokens',
  ],
  [
    'POST',
    '/v1/projects/p/locations/l/publishers/google/models/m:fetchPredictOperation',
    'generate-content',
    'POST models/m:fetchPredictOperation',
  ],
  [
    'POST',
    '/v1/projects/p/locations/l/endpoints/77:generateContent',
    'generate-content',
    'POST endpoints/77:generateContent',
  ],
  ['GET', '/v1beta1/publishers/google/models', 'generate-content', 'GET models'],
  ['GET', '/v1beta1/publishers/google/models/m', 'generate-content', 'GET models/m'],
  [
    'GET',
    '/v1beta1/projects/p/locations/l/batchPredictionJobs',
    'generate-content',
    'GET batchPredictionJobs',
  ],
  ['GET', '/v1beta1/projects/p/locations/l/tuningJobs/t', 'generate-content', 'GET tuningJobs/t'],
  [
    'GET',
    '/v1beta1/projects/p/locations/l/publishers/google/models/m/operations/o',
    'generate-content',
    'GET models/m/operations/o',
  ],
  // Interactions.
  ['POST', '/v1beta/interactions', 'interactions', 'POST interactions'],
  ['POST', '/v1beta2/interactions', 'interactions', 'POST interactions'],
  ['POST', '/v1beta/interactions?alt=sse', 'interactions', 'POST interactions?alt=sse'],
  [
    'GET',
    '/v1beta/interactions/v1_abc?stream=true&last_event_id=e3',
    'interactions',
    'GET interactions/v1_abc?last_event_id=e3&stream=true',
  ],
  ['POST', '/v1beta/interactions/v1_abc/cancel', 'interactions', 'POST interactions/v1_abc/cancel'],
  ['DELETE', '/v1beta/interactions/v1_abc', 'interactions', 'DELETE interactions/v1_abc'],
  ['POST', '/v1beta1/projects/p/locations/global/interactions', 'interactions', 'POST interactions'],
  ['POST', '/v1beta1%2Fprojects%2Fp%2flocations%2Fglobal/interactions', 'interactions', 'POST interactions'],
  ['POST', '/v1beta/webhooks/w:ping', 'interactions', 'POST webhooks/w:ping'],
  ['GET', '/v1beta/agents', 'interactions', 'GET agents'],
  ['GET', '/v1beta/triggers/t/executions', 'interactions', 'GET triggers/t/executions'],
  ['GET', '/v1beta/environments', 'interactions', 'GET environments'],
  // Spellings.
  ['POST', '//v1beta//models/m:generateContent', 'generate-content', 'POST models/m:generateContent'],
  ['POST', '/models/m:generateContent', 'generate-content', 'POST models/m:generateContent'],
  ['post', '/v1beta/models/m%3AgenerateContent', 'generate-content', 'POST models/m:generateContent'],
  ['POST', '/v1beta/models/m:generateContent?key=AIza', 'generate-content', 'POST models/m:generateContent'],
  [
    'POST',
    '/v1beta/models/m:streamGenerateContent?key=k&alt=sse&access_token=t',
    'generate-content',
    'POST models/m:streamGenerateContent?alt=sse',
  ],
  ['GET', '/v1/files?b=2&a=1&b=1&c', 'generate-content', 'GET files?a=1&b=2&b=1&c'],
  ['GET', '/v1/files?q=a%20b', 'generate-content', 'GET files?q=a%20b'],
  ['GET', '/v1/files?q=a+b', 'generate-content', 'GET files?q=a%20b'],
  ['GET', '/v1/files?q=%zz', 'generate-content', 'GET files?q=%25zz'],
  // Not known.
  ['POST', '/', 'unknown', 'POST /'],
  ['POST', 'http://127.0.0.1:80', 'unknown', 'POST /'],
  ['POST', '/v1beta/models/m:newMethod', 'unknown', 'POST models/m:newMethod'],
  [
    'POST',
    '/v1/projects/p/locations/l/publishers/other/models/m:rawPredict',
    'unknown',
    'POST publishers/other/models/m:rawPredict',
  ],
  ['GET', '/v1beta/filesystem', 'unknown', 'GET filesystem'],
  ['GET', '/ws/x.BidiGenerateContent', 'unknown', 'GET ws/x.BidiGenerateContent'],
]

describe('the operation of a request', () => {
  it.each(ROUTES)('%s %s belongs to %s as %s', (method, url, dialect, key) => {
    const operation = operationOf({ method, url })
    expect([operation.dialect.name, operation.key]).toEqual([dialect, key])
  })
})

describe('the dialect that a cassette names', () => {
  it.each(['generate-content', 'interactions', 'unknown'])('%s is one', name => {
    expect(dialectNamed(name)?.name).toBe(name)
  })

  it('is none for another name', () => {
    expect(dialectNamed('interaction')).toBeUndefined()
  })
})
