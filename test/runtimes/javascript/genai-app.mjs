/** An app on @google/genai, whichever of its APIs the scenario is of. Runs in a page as well as in Node. */
import { actChat } from './genai-chat.mjs'
import { actInteractions } from './genai-interactions.mjs'
import { actLive } from './genai-live.mjs'
import { createToolbox } from './toolbox.mjs'
import { startTranscript } from './transcript.mjs'

const ACTS = { 'generate-content': actChat, interactions: actInteractions, live: actLive }

/** Acts the scenario with this client. Returns the transcript. */
export async function actGenai({ ai, scenario, runtime }) {
  if (scenario.agent === 'delegating')
    return { runtime, unsupported: 'The SDK has no agents that delegate to others.' }
  const transcript = startTranscript()
  const toolbox = createToolbox(scenario.tools)
  const session = await ACTS[scenario.api]({ ai, scenario, transcript, toolbox })
  return transcript.done({ runtime, session, toolRuns: toolbox.runs })
}
