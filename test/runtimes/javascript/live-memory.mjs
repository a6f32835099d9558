/**
 * What was said on the connections of a Live app, as turns to begin another with. Sound is no history; what was said
 * by it is, by its transcription. Runs in a page as well as in Node.
 */

/** Makes a memory of nothing. */
export function createMemory() {
  const said = []
  /** Where the turn began, and what the user said in it aloud: before its answer, however late that is transcribed. */
  let beginning = 0
  let aloud
  const beginTurn = () => {
    beginning = said.length
    aloud = undefined
  }
  const hearUser = text => {
    if (aloud === undefined) {
      aloud = { text: '' }
      said.splice(beginning, 0, { role: 'user', parts: [aloud] })
    }
    aloud.text += text
  }
  const hearModel = part => {
    const last = said.length > beginning ? said.at(-1) : undefined
    const parts = last?.role === 'model' ? last.parts : undefined
    const before = parts?.at(-1)
    if (parts === undefined) said.push({ role: 'model', parts: [{ ...part }] })
    else if (goesOn(before, part)) before.text += part.text
    else parts.push({ ...part })
  }
  return {
    /** All of it, to begin a connection with. */
    turns() {
      beginTurn()
      return structuredClone(said)
    },
    /** Takes what the app sent. */
    say: content => said.push(content),
    /** Takes a message of the service. */
    hear({ serverContent, toolCall }) {
      const { modelTurn, inputTranscription, outputTranscription, turnComplete } = serverContent ?? {}
      const calls = (toolCall?.functionCalls ?? []).map(functionCall => ({ functionCall }))
      const parts = [...(modelTurn?.parts ?? []), ...calls].filter(isHistory)
      if (inputTranscription?.text) hearUser(inputTranscription.text)
      for (const part of parts) hearModel(part)
      // Beside text it says the same again.
      if (parts.length === 0 && outputTranscription?.text) hearModel({ text: outputTranscription.text })
      if (turnComplete === true) beginTurn()
    },
  }
}

function isHistory({ inlineData, text }) {
  return inlineData === undefined && text !== ''
}

function goesOn(before, { text, thought, thoughtSignature }) {
  return (
    text !== undefined &&
    before.text !== undefined &&
    before.thought === thought &&
    before.thoughtSignature === undefined &&
    thoughtSignature === undefined
  )
}
