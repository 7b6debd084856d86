import { unlessAborted } from '../../../lib/async/unless-aborted.ts'
import { changeSize } from '../../feed/change-size.ts'
import type { Follower, Following, Backpressure } from '../../feed/broadcaster.ts'
import { type ResourceVersion, resourceVersionExpired } from '../../feed/resource-version.ts'
import type { Change, ChangeType } from '../../model/change.ts'
import type { Context } from '../context.ts'
import { checkWatch, type Watchable } from './check-watch.ts'
import { searchedChange } from './searched-change.ts'
import { sendInitialState } from './send-initial-state.ts'
import { createSentVersions } from './sent-versions.ts'
import type { Watcher, WatchEvent } from './watch-event.ts'
import { classifyChange, type WatchFilter } from './watch-filter.ts'
import { topicOf, hasMovedAway, topicsOf, type WatchScope } from './watch-scope.ts'
import type { Watchers } from './watchers.ts'

/** How long to wait for the broadcaster before checking for a disconnect. */
const TIMEOUT_MS = 3000

export interface WatchRequest extends Watchable {
  /** The version to resume from; null to start with the current state. */
  readonly from: ResourceVersion | null
}

/** The parts of the context that a watch needs. */
interface Watching {
  readonly context: Pick<
    Context,
    'database' | 'registry' | 'feed' | 'searches' | 'onSearchRejected'
  >
  readonly watchers: Watchers
}

/**
 * Without a version, sends the current state first. Then sends every change. Resolves once the
 * watch receives live changes. Rejects with `invalid-search`, `not-found` or `expired`, and after a
 * disconnect.
 */
export async function startWatch(
  { context, watchers }: Watching,
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
  const interest = { topic: catchUp.topic, search: JSON.stringify(search), filter }
  const { broadcaster } = context.feed
  let place = from ? await sendPast(catchUp, from) : await sendBeginning(catchUp, scope)
  for (;;) {
    await watcher.ready()
    // Few changes arrive here: the watcher takes them without a wait.
    using followed = await follow(catchUp, place, UNFILTERED)
    watcher.signal.throwIfAborted()
    place = followed.resourceVersion
    // Backpressure may have stopped it again. No await before it joins, so that no change is sent twice.
    if (place.revision === broadcaster.resourceVersion.revision) {
      return watchers.join(interest, watcher)
    }
  }
}

interface CatchUp {
  readonly context: Watching['context']
  readonly topic: string
  readonly filter: WatchFilter
  readonly watcher: Watcher
  readonly backpressure: Backpressure
}

/** Decides the type under which a change is sent; null to skip it. */
type TypeFilter = (change: Change, type: ChangeType) => ChangeType | null

const UNFILTERED: TypeFilter = (_change, type) => type

/** Sends the changes after a version. Returns the version that they end at. */
async function sendPast(catchUp: CatchUp, from: ResourceVersion): Promise<ResourceVersion> {
  using followed = await follow(catchUp, from, UNFILTERED)
  return followed.resourceVersion
}

/**
 * Sends the current state and the changes after it. Returns the version that they end at. Skips
 * changes that the state already had.
 */
async function sendBeginning(catchUp: CatchUp, scope: WatchScope): Promise<ResourceVersion> {
  const { context, filter, watcher } = catchUp
  const { broadcaster, sequencer } = context.feed
  const start = broadcaster.resourceVersion
  const versions = createSentVersions()
  await sendInitialState(context, { scope, filter, watcher, versions })
  const end = await unlessAborted(sequencer.catchUp(), watcher.signal)
  watcher.initialStateSent(start)
  let place = start
  // Backpressure can stop the follower while the broadcaster continues.
  while (place.revision < end) {
    using followed = await follow(catchUp, place, versions.typeToSend)
    while (!(await broadcaster.waitFor(end, TIMEOUT_MS))) watcher.signal.throwIfAborted()
    place = followed.resourceVersion
  }
  return place
}

/** Sends changes after a version, with the types that `typeToSend` decides. */
function follow(
  { context, topic, filter, watcher, backpressure }: CatchUp,
  from: ResourceVersion,
  typeToSend: TypeFilter,
): Promise<Following> {
  const { epoch } = from
  const eventOf = (change: Change): readonly WatchEvent[] => {
    if (!topicsOf(change).includes(topic)) return []
    if (hasMovedAway(change, topic)) {
      watcher.fail(resourceVersionExpired())
      return []
    }
    const found = classifyChange(filter, searchedChange(change))
    const type = found && typeToSend(change, found)
    return type ? [{ type, watched: change, revision: change.revision }] : []
  }
  const follower: Follower = {
    onChanges: (changes) => {
      const events = changes.flatMap(eventOf)
      const size = changes.reduce((sum, change) => sum + changeSize(change), 0)
      if (events.length > 0) watcher.send({ events, epoch, source: changes, size })
      const last = changes.at(-1)
      if (last) watcher.passed({ epoch, revision: last.revision })
    },
    onLost: () => watcher.fail(resourceVersionExpired()),
    ready: () => watcher.ready(),
    backpressure,
  }
  return context.feed.broadcaster.follow(from, follower)
}
