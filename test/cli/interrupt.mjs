/** An app for the command's tests: asks on Live with the official SDK, and cuts the answer short. */
import { GoogleGenAI, Modality } from '@google/genai'

const ai = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY })
const say = text => session.sendClientContent({ turns: text })
let pieces = 0
let turns = 0

function onmessage({ serverContent }) {
  if (serverContent === undefined) return
  const [{ text } = {}] = serverContent.modelTurn?.parts ?? []
  if (text !== undefined) console.log(text)
  if (text !== undefined && ++pieces === 2) say('Stop. Just the year it was lit.')
  if (serverContent.interrupted) console.log('(interrupted)')
  if (serverContent.turnComplete && ++turns === 2) session.close()
}

const session = await ai.live.connect({
  model: 'gemini-live-2.5-flash-preview',
  config: { responseModalities: [Modality.TEXT] },
  callbacks: { onmessage },
})
say('Tell me the history of the lighthouse at Flamborough Head.')
