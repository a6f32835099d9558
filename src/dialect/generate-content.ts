/**
 * The models API: generateContent, its streams, and the resources around it, on both services.
 *
 * Room: dialect.
 */
import { isJsonList, isJsonObject, parseJson, type JsonObject } from '../wire/json.ts'
import type { SseEvent } from '../wire/sse.ts'
import { explainModels } from './cause-models.ts'
import type { Dialect } from './dialect.ts'
import { foldProtoJson } from './fold.ts'
import { spellPretty, spellSpaced } from './spelling.ts'

/** What can be asked of a model; js-genai `models.ts`, `batches.ts`, `operations.ts`. */
const MODEL_METHODS: ReadonlySet<string> = new Set([
  'asyncBatchEmbedContent',
  'batchEmbedContents',
  'batchGenerateContent',
  'computeTokens',
  'countTokens',
  'embedContent',
  'fetchPredictOperation',
  'generateContent',
  'predict',
  'predictLongRunning',
  'streamGenerateContent',
])

/** Something that answers: a model, a tuned one, one of a publisher, a deployed one; then its method, if any. */
const MODEL = /^(?:models|tunedModels|endpoints|publishers\/[^/]+\/models)\/[^/:]+(?::(\w+))?$/

/** The resources beside the models, lists of models, and operations that run long. */
const RESOURCES =
  /^(?:upload\/|download\/)?(?:auth_tokens|batches|batchPredictionJobs|cachedContents|fileSearchStores|files|operations|tunedModels|tuningJobs)(?=$|[/:])|^(?:publishers\/[^/]+\/)?models$|^.+\/operations(?=$|\/)/

/** Models, files, caches, batches, tuning, tokens. Proto-JSON; streams end their lines with CRLF. */
export const generateContent: Dialect = {
  name: 'generate-content',
  eol: 'crlf',
  owns(_method, path) {
    const [model, method] = MODEL.exec(path) ?? []
    if (model !== undefined) return method === undefined || MODEL_METHODS.has(method)
    return RESOURCES.test(path)
  },
  spell: spellPretty,
  spellEvent: spellSpaced,
  isEndMark,
  fold: foldProtoJson,
  explain: explainModels,
}

/**
 * A stream has no mark of its own at its end. What finishes every candidate, blocks the prompt or reports
 * an error comes last, but for usage that may follow.
 */
function isEndMark(event: SseEvent): boolean {
  const text = event.data
  if (typeof text !== 'string' || !/"(?:finishReason|blockReason|error)"/.test(text)) return false
  const value = parseJson(text)
  if (!isJsonObject(value)) return false
  if (value['error'] !== undefined) return true
  const feedback = value['promptFeedback']
  if (isJsonObject(feedback) && feedback['blockReason'] !== undefined) return true
  const candidates = value['candidates']
  if (!isJsonList(candidates) || candidates.length === 0) return false
  return candidates.every(candidate => isJsonObject(candidate) && isFinished(candidate))
}

function isFinished({ finishReason }: JsonObject): boolean {
  return typeof finishReason === 'string' && !['', 'FINISH_REASON_UNSPECIFIED'].includes(finishReason)
}
