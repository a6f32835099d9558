/**
 * What an interaction that is written by hand is made of, and the order in which its events come.
 *
 * Room: dialect.
 */
import type { ErrorItem } from './build-errors.ts'
import type { CallItem, StreamedCallItem, TextItem, ThoughtItem } from './build-items.ts'
import { stepEvents, type KeyOrder, type StepItem } from './build-steps.ts'
import type { DataItem, FieldsItem, Placed, Placing, RawItem, UsageItem } from './build-stream.ts'

/** One of the events around the steps. */
export interface MarkItem {
  /** Always `mark`. */
  readonly type: 'mark'
  /** Which of them. */
  readonly mark: 'created' | 'status' | 'completed' | 'done'
  /** What it says in addition. */
  readonly value: Readonly<Record<string, unknown>>
}

/** How the events of an interaction are spelled. */
export interface EventsItem {
  /** Always `events`. */
  readonly type: 'events'
  /** What stands before the number of each `event_id`; undefined: they have none. */
  readonly ids: string | undefined
  /** The order of their keys. */
  readonly keys: KeyOrder
}

/** Any of them, not placed. */
export type InteractionStretch =
  | string
  | TextItem
  | ThoughtItem
  | CallItem
  | StreamedCallItem
  | StepItem
  | MarkItem
  | EventsItem
  | FieldsItem
  | UsageItem
  | DataItem
  | RawItem
  | ErrorItem

/** What an interaction's answer is made of. Texts that follow one another are one step. */
export type InteractionItem = InteractionStretch | Placed<InteractionStretch>

/** `interaction.created`, where it is to be placed or to say more; comes by itself unless given. */
export function created(more: object = {}): MarkItem {
  return { type: 'mark', mark: 'created', value: { ...more } }
}

/** `interaction.status_update`; one with `in_progress` comes by itself after {@link created} unless one is given. */
export function statusUpdate(status = 'in_progress'): MarkItem {
  return { type: 'mark', mark: 'status', value: { status } }
}

/** `interaction.completed`, where it is to be placed or to say more, such as another `status`; comes by itself unless given. */
export function completed(more: object = {}): MarkItem {
  return { type: 'mark', mark: 'completed', value: { ...more } }
}

/** `[DONE]`, where it is to be placed; comes by itself unless given. */
export function done(): MarkItem {
  return { type: 'mark', mark: 'done', value: {} }
}

/**
 * How the events of an interaction are spelled.
 *
 * @param options - `ids`: the text before the number of each `event_id`, none unless given. `keys`: `documented`
 * as in Google's examples, unless given; `type-first` as in the SDK's models.
 */
export function events(options: {
  readonly ids?: string | undefined
  readonly keys?: KeyOrder | undefined
}): EventsItem {
  return { type: 'events', ids: options.ids, keys: options.keys ?? 'documented' }
}

/** Something said, and where its chunk begins. */
export type Loose = { readonly placing: Placing; readonly item: InteractionStretch }
/** An event to be, and where its chunk begins. */
export type Ready = {
  readonly placing: Placing
  readonly item: StepItem | MarkItem | DataItem | RawItem | ErrorItem
}

/** Texts that follow one another together, anything else by itself. */
export function runsOf<Item extends { readonly type: string }>(
  said: readonly (string | TextItem | Item)[],
): readonly ((string | TextItem)[] | Item)[] {
  const runs: ((string | TextItem)[] | Item)[] = []
  for (const one of said) {
    const last = runs.at(-1)
    if (!isText(one)) runs.push(one)
    else if (Array.isArray(last)) last.push(one)
    else runs.push([one])
  }
  return runs
}

function isText(one: string | { readonly type: string }): one is string | TextItem {
  return typeof one === 'string' || one.type === 'text'
}

/** What is said, in the events of steps. */
export function withSteps(all: readonly Loose[]): readonly Ready[] {
  const ready: Ready[] = []
  let index = 0
  let texts: (Loose & { readonly item: string | TextItem })[] = []
  const add = (made: readonly StepItem[], placings: readonly Placing[]): void => {
    index += 1
    ready.push(...made.map((item, position) => ({ item, placing: placings[position] ?? {} })))
  }
  const flush = (): void => {
    if (texts.length === 0) return
    // The first text brings the start of its step along, unless they are placed one by one.
    const said = texts.map(({ item }) => item)
    add(stepEvents(index, said), [
      texts[0]?.placing ?? {},
      {},
      ...texts.slice(1).map(({ placing }) => placing),
    ])
    texts = []
  }
  for (const one of all) {
    const { item, placing } = one
    if (isText(item)) {
      texts.push({ item, placing })
      continue
    }
    flush()
    if (item.type === 'thought' || item.type === 'call' || item.type === 'streamed-call')
      add(stepEvents(index, item), [placing])
    else if (item.type === 'fields' || item.type === 'usage' || item.type === 'events') continue
    else {
      if (item.type === 'step' && item.does === 'start') index = Math.max(index, item.index + 1)
      ready.push({ item, placing })
    }
  }
  flush()
  return ready
}

/** The marks that are not given come by themselves: two before the first step, those of `ends` after the last. */
export function withMarks(
  steps: readonly Ready[],
  ends: readonly ('completed' | 'done')[],
): readonly Ready[] {
  const has = (mark: MarkItem['mark']): boolean =>
    steps.some(({ item }) => item.type === 'mark' && item.mark === mark)
  const [first, ...rest] = steps
  const opens = first?.item.type === 'mark' && first.item.mark === 'created' ? [first] : []
  const begun: readonly Ready[] = has('created') ? opens : [{ item: created(), placing: {} }]
  const status: readonly Ready[] = has('status') ? [] : [{ item: statusUpdate(), placing: {} }]
  const missing = ends
    .filter(mark => !has(mark))
    .map(mark => ({ item: mark === 'done' ? done() : completed(), placing: {} }))
  const said = opens.length === 0 ? steps : rest
  const last = said.at(-1)
  // A `[DONE]` that was placed stays the last.
  if (last?.item.type === 'mark' && last.item.mark === 'done')
    return [...begun, ...status, ...said.slice(0, -1), ...missing, last]
  return [...begun, ...status, ...said, ...missing]
}
