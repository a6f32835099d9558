/** An app for the command's tests: says each thing in one Live session, each after an answer, and tells what it sees. */
import { WebSocket } from 'ws'

const base = process.env.GOOGLE_GEMINI_BASE_URL.replace('http', 'ws')
const service = 'google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const socket = new WebSocket(`${base}/ws/${service}?key=${process.env.GEMINI_API_KEY}`)
const texts = process.argv.slice(2)

socket.on('open', () => socket.send('{"setup": {"model": "models/m"}}'))
socket.on('message', data => {
  const message = JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '')
  console.log(JSON.stringify(message))
  if (message.setupComplete === undefined && message.serverContent?.turnComplete === undefined) return
  const text = texts.shift()
  if (text === 'wait') return
  if (text === undefined) socket.close(1000)
  else
    socket.send(JSON.stringify({ client_content: { turns: [{ parts: [{ text }] }], turn_complete: true } }))
})
socket.on('close', (code, reason) => console.log(`close ${code} ${reason.toString()}`.trimEnd()))
