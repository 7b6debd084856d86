import { unlessAborted } from '../../../lib/async/unless-aborted.ts'
import { changeSize } from '../../feed/change-size.ts'
import type { Follower, Backpressure } from '../../feed/broadcaster.ts'
import { type ResourceVersion, resourceVersionExpired } from '../../feed/resource-version.ts'
import type { Change, ChangeType } from '../../model/change.ts'
import type { Context } from '../context.ts'
import { checkWatch, type Watchable } from './check-watch.ts'
import { searchedChange } from './searched-change.ts'
import { sendInitialState } from './send-initial-state.ts'
import { createSentVersions } from './sent-versions.ts'
import type { Watcher, WatchEvent } from './watch-event.ts'
import { judgeChange, type WatchFilter } from './watch-filter.ts'
import { topicOf, topicsOf, type WatchScope } from './watch-scope.ts'
import type { Watchers } from './watchers.ts'

/** For how long the process may take to learn of its own reads, before it looks again. */
const TIMEOUT_MS = 3000

export interface WatchRequest extends Watchable {
  /** What the caller knows already; null for nothing. */
  readonly from: ResourceVersion | null
}

/**
 * Tells the watcher what there is, where it knows nothing, and every change from then on. Resolves
 * when changes are told as they come; rejects with `invalid-search`, `not-found` or `expired` where nothing can be
 * told, and where the watcher is gone.
 */
export async function startWatch(
  context: Context,
  watchers: Watchers,
  request: WatchRequest,
  watcher: Watcher,
): Promise<Disposable> {
  const { scope, search, from } = request
  const filter = await checkWatch(context, request)
  const catchUp = {
    context,
    topic: topicOf(scope),
    filter,
    watcher,
    backpressure: watchers.backpressure,
  }
  const place = from ? await tellPast(catchUp, from) : await tellBeginning(catchUp, scope)
  await watcher.ready()
  // What has come since is little: the watcher need not be waited for again.
  using followed = await follow(catchUp, place, AS_IT_IS)
  watcher.signal.throwIfAborted()
  // Nothing is awaited between the two: what is told next is told by the one or by the other.
  const interest = { topic: catchUp.topic, search: JSON.stringify(search), filter }
  const membership = watchers.join(interest, watcher)
  followed[Symbol.dispose]()
  return membership
}

interface CatchUp {
  readonly context: Context
  readonly topic: string
  readonly filter: WatchFilter
  readonly watcher: Watcher
  readonly backpressure: Backpressure
}

/** What makes of a change what it is for the watcher; null for nothing. */
type Judge = (change: Change, type: ChangeType) => ChangeType | null

const AS_IT_IS: Judge = (_change, type) => type

/** Tells the changes after a token; up to which is in the answer. */
async function tellPast(catchUp: CatchUp, from: ResourceVersion): Promise<ResourceVersion> {
  using _followed = await follow(catchUp, from, AS_IT_IS)
  return catchUp.context.feed.broadcaster.resourceVersion
}

/**
 * Tells the state and the changes after it; up to which is in the answer. Changes that the state had
 * already are left out, until all that it can have had are told.
 */
async function tellBeginning(catchUp: CatchUp, scope: WatchScope): Promise<ResourceVersion> {
  const { context, filter, watcher } = catchUp
  const { broadcaster, sequencer } = context.feed
  const start = broadcaster.resourceVersion
  const versions = createSentVersions()
  await sendInitialState(context, { scope, filter, watcher, versions })
  const end = await unlessAborted(sequencer.catchUp(), watcher.signal)
  watcher.stateTold(start)
  using _followed = await follow(catchUp, start, versions.typeToSend)
  while (!(await broadcaster.waitFor(end, TIMEOUT_MS))) watcher.signal.throwIfAborted()
  return broadcaster.resourceVersion
}

/** Tells changes after a token; `judge` has the last word on what each is. */
function follow(
  { context, topic, filter, watcher, backpressure }: CatchUp,
  from: ResourceVersion,
  judge: Judge,
): Promise<Disposable> {
  const { epoch } = from
  const eventOf = (change: Change): readonly WatchEvent[] => {
    if (!topicsOf(change).includes(topic)) return []
    const found = judgeChange(filter, searchedChange(change))
    const type = found && judge(change, found)
    return type ? [{ type, watched: change, revision: change.revision }] : []
  }
  const follower: Follower = {
    onChanges: (changes) => {
      const events = changes.flatMap(eventOf)
      const size = changes.reduce((sum, change) => sum + changeSize(change), 0)
      if (events.length > 0) watcher.tell({ events, epoch, source: changes, size })
      const last = changes.at(-1)
      if (last) watcher.passed({ epoch, revision: last.revision })
    },
    onLost: () => watcher.fail(resourceVersionExpired()),
    ready: () => watcher.ready(),
    backpressure,
  }
  return context.feed.broadcaster.follow(from, follower)
}
