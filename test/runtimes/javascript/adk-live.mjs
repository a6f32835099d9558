/** Live with @google/adk: a `runLive` for each connection that the app opens, all of them in one session. */
import { converse } from './live-turns.mjs'

const TEXT = { responseModalities: ['TEXT'] }
const AUDIO = { responseModalities: ['AUDIO'], inputAudioTranscription: {}, outputAudioTranscription: {} }

/** Acts the scenario. `told` is an event in the API's spelling. */
export async function actAdkLive({ adk, runner, place, scenario, transcript, told }) {
  if (scenario.saveLiveBlob) transcript.note('The runtime has no saveLiveBlob.')
  if (scenario.resumption) transcript.note('An app has no way to ask for resumption.')
  for (const turns of scenario.conversations) {
    await transcript.turn(tell => {
      const liveRequestQueue = new adk.LiveRequestQueue()
      const incoming = runner.runLive({
        ...place,
        liveRequestQueue,
        runConfig: scenario.audio ? AUDIO : TEXT,
      })
      const hear = event => {
        tell(told(event))
        return event.turnComplete === true
      }
      return converse(turns, {
        say: turn => say(turn, liveRequestQueue),
        incoming,
        hear,
        hangUp: () => liveRequestQueue.close(),
      }).finally(() => liveRequestQueue.close())
    })
  }
}

/** Text is said as content: which message it becomes is the runtime's to know. */
function say({ parts, how }, liveRequestQueue) {
  if (how !== 'audio') return liveRequestQueue.sendContent({ role: 'user', parts })
  for (const { inlineData } of parts) liveRequestQueue.sendRealtime(inlineData)
  return undefined
}
