/** What the AI SDK hands out and takes, in the spelling of the API. */

/** The parts of what it hands out: of a message, of a step, of a stream. */
export function partsOf(content) {
  if (typeof content === 'string') return [{ text: content }]
  return [content].flat().flatMap(one => {
    const part = partOf(one)
    if (part === undefined) return []
    // What a result says of a signature is its call's.
    return [part.functionResponse === undefined ? { ...part, thoughtSignature: signatureOf(one) } : part]
  })
}

/** What it takes for these parts of a user's turn. */
export function contentOf(parts) {
  return parts.map(({ text, inlineData }) =>
    inlineData === undefined
      ? { type: 'text', text }
      : { type: 'file', data: inlineData.data, mediaType: inlineData.mimeType },
  )
}

function partOf({ type, text, toolCallId: id, toolName: name, input, output, error, file, data, mediaType }) {
  switch (type) {
    case 'text':
    case 'text-delta':
      return { text }
    case 'reasoning':
    case 'reasoning-delta':
      return { text, thought: true }
    case 'tool-call':
      return { functionCall: { id, name, args: input } }
    case 'tool-result':
      return { functionResponse: { id, name, response: responseOf(output) } }
    case 'tool-error':
      return { functionResponse: { id, name, response: { error: String(error?.message ?? error) } } }
    case 'file':
      return {
        inlineData: { mimeType: file?.mediaType ?? mediaType, data: file?.base64 ?? String(data) },
      }
    default:
      return undefined
  }
}

/** In a message, a result says of which kind it is. */
function responseOf(output) {
  if (typeof output?.type !== 'string' || !('value' in output)) return output
  return output.type.startsWith('error') ? { error: output.value } : output.value
}

function signatureOf({ providerMetadata, providerOptions }) {
  const options = providerMetadata ?? providerOptions ?? {}
  const found = Object.values(options).find(one => one?.thoughtSignature !== undefined)
  return found?.thoughtSignature
}
