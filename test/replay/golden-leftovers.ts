/** Clients that do not use up a recording, one for each kind of leftover. */
import type { Leftover, LeftoverKind, ReplayReport } from '../../src/replay/report.ts'
import { verdictOf } from '../../src/serve/verdict.ts'
import { said, stream, unary } from './exchanges.ts'
import * as live from './live-playbook.ts'
import { playbook } from './playbook.ts'

/** One kind: the file that holds its text, what its first line must say. */
export interface GoldenLeftover {
  readonly file: string
  readonly kind: LeftoverKind
  readonly says: string
  readonly leave: () => { readonly message: string; readonly leftovers: readonly Leftover[] }
}

function verdict(report: ReplayReport): ReturnType<GoldenLeftover['leave']> {
  const error = verdictOf(report)
  if (error?.code !== 'WIRETAPE_UNFINISHED') throw new Error('nothing is left')
  return { message: error.message, leftovers: report.leftovers }
}

const socket = [
  live.client(live.setup),
  live.server(live.ready),
  live.server(live.speech('Hello')),
  live.client({ realtimeInput: { audioStreamEnd: true } }),
]

/** Every kind of leftover. */
export const GOLDEN_LEFTOVERS: readonly GoldenLeftover[] = [
  {
    file: 'left-never-asked',
    kind: 'never-asked',
    says: '4 exchanges were never asked for',
    leave: () =>
      verdict(
        playbook(['a', 'b', 'c', 'd', 'e'].map(words => unary(words, '{}')))
          .asksFor('unary', 'a')
          .report(),
      ),
  },
  {
    file: 'left-abandoned',
    kind: 'abandoned',
    says: '1 stream was abandoned',
    leave: () => {
      const events = [said('Hel', 1), said('lo', 2, { hold: true })]
      return verdict(
        playbook([stream('Hello?', events)])
          .asksFor('stream', 'Hello?')
          .leaves(1)
          .report(),
      )
    },
  },
  {
    file: 'left-never-reached',
    kind: 'never-reached',
    says: '1 socket was left before its end',
    leave: () => {
      const replay = live.replayOf([
        live.connection([...socket, live.client(live.said('More?')), live.server(live.speech('No.'))]),
      ])
      live.playbook(replay).opens().says(live.setup).leaves(1000)
      return verdict(replay.report())
    },
  },
  {
    file: 'left-never-sent',
    kind: 'never-sent',
    says: '1 socket was left with something unsent',
    leave: () => {
      const replay = live.replayOf([live.connection(socket)])
      live.playbook(replay).opens().says(live.setup).leaves(1000)
      return verdict(replay.report())
    },
  },
]
