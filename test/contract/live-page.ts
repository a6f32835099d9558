/** What runs in the page of `live-browser.test.ts`: the SDK's build for browsers, and the same app as everywhere. */
import * as sdk from '@google/genai/web'
import { LIVE_SCENARIOS, type LiveName, type LiveSdk } from './live-transcripts.ts'

/** Has a session, and returns all that the page could see of it. */
export function run(name: LiveName, baseUrl: string): Promise<readonly string[]> {
  // The two builds have a class each, of the same shape.
  return LIVE_SCENARIOS[name](sdk as unknown as LiveSdk, baseUrl)
}
