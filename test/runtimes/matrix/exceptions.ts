/** What a scenario needs to know of a cassette and its traffic can't say. Keep it short. */

/** The specialist in task mode that the coordinator of a delegating scenario has, by the beginning of a case's name. */
const SPECIALISTS: Readonly<Record<string, string>> = { 'chat-wrapper-': 'ga_specialist' }

/** Cases whose app has google-adk keep the sound of the session (`RunConfig.save_live_blob`). */
const SAVE_LIVE_BLOB = /^live-.*-with-audio$/

/** What the user says in a case in which the service refuses before anybody has said anything. */
export const NEVER_SAID = 'Greet me.'

/** The name of the specialist; undefined where nobody delegates. */
export function specialistOf(name: string): string | undefined {
  return Object.entries(SPECIALISTS).find(([beginning]) => name.startsWith(beginning))?.[1]
}

/** Whether the app asks for the sound to be kept. */
export function savesLiveBlob(name: string): boolean {
  return SAVE_LIVE_BLOB.test(name)
}
