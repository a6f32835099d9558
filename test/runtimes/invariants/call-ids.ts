/** The ids of function calls (I15). */
import type { CallPart, Finding, Invariant, Run } from './run.ts'
import { sentParts } from './sent.ts'
import type { WireCall } from './wire-parts.ts'
import { callsIn, fromModel, played, responsesIn, seen, wireCalls } from './view.ts'
import { listed } from './words.ts'

/** Everything of one kind that has an id: handed out, stored, sent. */
interface Ids {
  readonly called: readonly string[]
  readonly answered: readonly string[]
}

/** It applies where calls are on the wire. Ids that the service gave are to be kept; made-up ones are to be one a call. */
export const idsConstant: Invariant = {
  number: 'I15',
  says: 'A function call has one id, in partial events, in the whole one, in its response and in the next request: the one that the service gave, where it gave one.',
  judge(run) {
    const wire = wireCalls(played(run))
    if (wire.length === 0) return undefined
    const names = new Set(wire.map(({ name }) => name))
    // Each by itself: the program numbers made-up ids, what was sent has them as they are.
    return [
      ...wrongIds(idsSeen(run, names), wire, 'were seen'),
      ...wrongIds(idsSent(run, names), wire, 'were sent'),
    ]
  },
}

function wrongIds({ called, answered }: Ids, wire: readonly WireCall[], where: string): readonly Finding[] {
  const given = wire.flatMap(({ id }) => id ?? [])
  const made = called.filter(id => !given.includes(id))
  const findings: Finding[] = []
  if (made.length > wire.length - given.length) {
    const calls = `${wire.length} ${wire.length === 1 ? 'call is' : 'calls are'} on the wire, with the ids ${listed(given)}`
    findings.push(`${calls}; these others ${where}: ${listed(made)}`)
  }
  const foreign = answered.filter(id => !called.includes(id) && !given.includes(id))
  if (foreign.length > 0 && called.length > 0) {
    findings.push(
      `responses with the ids ${listed(foreign)} ${where}; the calls have ${listed([...called, ...given])}`,
    )
  }
  return findings
}

/** In the events and in the session. A piece of a call has no name. */
function idsSeen(run: Run, names: ReadonlySet<string>): Ids {
  const events = [...seen(run), ...(run.transcript.session ?? [])]
  const ids = ({ name = '', id }: Pick<CallPart, 'name' | 'id'>): readonly string[] =>
    id === undefined || (name !== '' && !names.has(name)) ? [] : [id]
  const called = callsIn(fromModel(events)).flatMap(ids)
  return { called: [...new Set(called)], answered: [...new Set(responsesIn(events).flatMap(ids))] }
}

function idsSent(run: Run, names: ReadonlySet<string>): Ids {
  const parts = run.received.flatMap(sentParts).filter(({ name = '' }) => names.has(name))
  const ids = (kind: 'call' | 'response'): readonly string[] => [
    ...new Set(parts.flatMap(part => (part.kind === kind ? (part.id ?? []) : []))),
  ]
  return { called: ids('call'), answered: ids('response') }
}
