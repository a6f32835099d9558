/**
 * What an app sets a model of @google/genai up with: its instruction, its tools, what it asks for besides. Runs in a
 * page as well as in Node.
 */

/** The configuration, of a request or of a Live session. */
export function configOf({ instruction, tools, thinkingSummaries, streamArguments }) {
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }))
  return {
    ...(instruction === undefined ? {} : { systemInstruction: instruction }),
    ...(tools.length > 0 ? { tools: [{ functionDeclarations }] } : {}),
    ...(thinkingSummaries ? { thinkingConfig: { includeThoughts: true } } : {}),
    ...(streamArguments
      ? { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } }
      : {}),
  }
}
