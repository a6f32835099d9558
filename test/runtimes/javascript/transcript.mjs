/**
 * What an app got to see of its runtime, kept as the matrix spells it: turns of events, what they raised, what the
 * tools were run with.
 *
 * Runs in a page as well as in Node.
 */

/** Marks of an event that are worth a word only where they hold. */
const MARKS = ['partial', 'interrupted', 'turnComplete']
const FACTS = ['finishReason', 'errorCode', 'errorMessage', 'inputTranscription', 'outputTranscription']

/** Without what is undefined or null, here and below: absent is absent. */
function tidy(value) {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, one]) => one !== undefined && one !== null)
  return Object.fromEntries(kept.map(([name, one]) => [name, tidy(one)]))
}

/** How many bytes these characters of base64 stand for. */
function byteLength(base64) {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** A part as the API spells it; of bytes it says how many. */
function partOf({ inlineData, thought, ...rest }) {
  return tidy({
    ...rest,
    ...(thought === true ? { thought } : {}),
    ...(inlineData && {
      inlineData: { mimeType: inlineData.mimeType, bytes: byteLength(inlineData.data ?? '') },
    }),
  })
}

/** An event, from an object that has the API's fields under the API's names. */
export function eventOf({ author, parts, usageMetadata, interactionId, ...fields }) {
  const marks = MARKS.filter(name => fields[name] === true)
  const facts = FACTS.filter(name => fields[name] !== undefined && fields[name] !== null)
  return {
    author,
    ...Object.fromEntries([...marks, ...facts].map(name => [name, tidy(fields[name])])),
    parts: (parts ?? []).map(partOf),
    ...tidy({ usage: usageMetadata, interactionId }),
  }
}

/** What was raised. The code is a status, a close code or a name, whichever the runtime says. */
function errorOf(raised) {
  const { name, message, status, statusCode, code } = raised ?? {}
  const type = raised?.constructor?.name ?? typeof raised
  return tidy({
    type: type === 'Error' && name ? name : type,
    message: String(message ?? raised),
    code: code ?? status ?? statusCode,
  })
}

/** Numbers the ids that a runtime makes up, by first sight. */
function numberIds(value, isMadeUp, seen = new Map()) {
  if (Array.isArray(value)) return value.map(one => numberIds(one, isMadeUp, seen))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => {
    if (name !== 'id' || !isMadeUp(one)) return [name, numberIds(one, isMadeUp, seen)]
    if (!seen.has(one)) seen.set(one, `made-up-${seen.size + 1}`)
    return [name, seen.get(one)]
  })
  return Object.fromEntries(entries)
}

/** Begins a transcript. `isMadeUp` knows an id that no service gave. */
export function startTranscript(isMadeUp = () => false) {
  const turns = []
  const notes = new Set()
  return {
    /** Lets the app have one turn; what it raises ends it, and no more than it. */
    async turn(act) {
      const events = []
      let isOver = false
      // What still comes after a turn was given up is not of the next one.
      const tell = fields => isOver || events.push(eventOf(fields))
      const error = await act(tell).then(() => null, errorOf)
      isOver = true
      turns.push({ events, error })
    },
    note: text => notes.add(text),
    /** The whole. `session` is what the runtime stored, as events; null where it stores nothing. */
    done({ runtime, session, toolRuns }) {
      const whole = { runtime, turns, session, toolRuns, ...(notes.size > 0 ? { notes: [...notes] } : {}) }
      return numberIds(whole, isMadeUp)
    },
  }
}
