/** Live with @google/adk: a `runLive` for each connection that the app opens, all of them in one session. */
import { converse } from './live-turns.mjs'

const TEXT = { responseModalities: ['TEXT'] }
const AUDIO = { responseModalities: ['AUDIO'], inputAudioTranscription: {}, outputAudioTranscription: {} }

/** Acts the scenario. `told` is an event in the API's spelling. */
export async function actAdkLive({ adk, runner, place, scenario, transcript, told }) {
  let handle
  if (scenario.saveLiveBlob) transcript.note('The runtime has no saveLiveBlob.')
  if (scenario.resumption)
    transcript.note('An app has no way to ask for resumption; it can only give a handle.')
  for (const turns of scenario.conversations) {
    await transcript.turn(tell => {
      const liveRequestQueue = new adk.LiveRequestQueue()
      const incoming = runner.runLive({
        ...place,
        liveRequestQueue,
        runConfig: scenario.audio ? AUDIO : TEXT,
        ...(scenario.resumption && handle !== undefined ? { liveSessionResumptionHandle: handle } : {}),
      })
      const hear = event => {
        tell(told(event))
        handle = event.liveSessionResumptionUpdate?.newHandle ?? handle
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
