import { must } from '../../../lib/assert.ts'
import type { Follower, Subscription } from '../../feed/hub.ts'
import { type Token, tokenExpired } from '../../feed/token.ts'
import type { Change, ChangeType } from '../../model/change.ts'
import { resourceExists } from '../../storage/resource-exists.ts'
import type { Context } from '../context.ts'
import { parentNotFound } from '../parent-not-found.ts'
import { readResource } from '../read-resource.ts'
import { searchedChange } from './searched-change.ts'
import { tellState } from './tell-state.ts'
import { createToldVersions } from './told-versions.ts'
import type { Watcher, WatchEvent } from './watch-event.ts'
import { judgeChange, type WatchFilter, watchFilter } from './watch-filter.ts'
import { topicOf, topicsOf, type WatchScope } from './watch-scope.ts'
import type { Watchers } from './watchers.ts'

/** For how long the process may take to learn of its own reads, before it looks again. */
const PATIENCE_MS = 3000

export interface WatchRequest {
  readonly scope: WatchScope
  /** TSL as the caller sent it; empty for no filter. */
  readonly search: string
  /** What the caller knows already; null for nothing. */
  readonly from: Token | null
}

/**
 * Tells the watcher what there is, where it knows nothing, and every change from then on. Resolves
 * when changes are told as they come; rejects with VAL-005, NTF-001 or CNF-004 where nothing can be
 * told, and where the watcher is gone.
 */
export async function startWatch(
  context: Context,
  watchers: Watchers,
  request: WatchRequest,
  watcher: Watcher,
): Promise<Disposable> {
  const { scope, search, from } = request
  const filter = watchFilter(context.registry, scope, search)
  await requireScope(context, scope)
  const catchUp = { context, topic: topicOf(scope), filter, watcher }
  using followed = from
    ? await follow(catchUp, from, (_change, type) => type)
    : await followState(catchUp, scope)
  watcher.signal.throwIfAborted()
  // Nothing is awaited between the two: what is told next is told by the one or by the other.
  const membership = watchers.join({ topic: catchUp.topic, search, filter }, watcher)
  followed[Symbol.dispose]()
  return membership
}

interface CatchUp {
  readonly context: Context
  readonly topic: string
  readonly filter: WatchFilter
  readonly watcher: Watcher
}

/** Changes that the state had already are left out, until all that it can have had are told. */
async function followState(catchUp: CatchUp, scope: WatchScope): Promise<Subscription> {
  const { context, filter, watcher } = catchUp
  const { hub, sequencer } = context.feed
  const start = hub.position
  const versions = createToldVersions()
  await tellState(context, { scope, filter, watcher, versions })
  const end = await sequencer.settle()
  watcher.stateTold(start)
  const followed = await follow(catchUp, start, versions.judge)
  try {
    while (!(await hub.reached(end, PATIENCE_MS))) watcher.signal.throwIfAborted()
    return followed
  } catch (error) {
    followed[Symbol.dispose]()
    throw error
  }
}

/** Tells changes after a token; `judge` has the last word on what each is. */
function follow(
  { context, topic, filter, watcher }: CatchUp,
  from: Token,
  judge: (change: Change, type: ChangeType) => ChangeType | null,
): Promise<Subscription> {
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
      if (events.length > 0) watcher.tell({ events, epoch })
      const last = changes.at(-1)
      if (last) watcher.passed({ epoch, revision: last.revision })
    },
    onLost: () => watcher.fail(tokenExpired()),
    ready: () => watcher.ready(),
  }
  return context.feed.hub.follow(from, follower)
}

/** Lists of what is not there are 404 too. */
async function requireScope(context: Context, scope: WatchScope): Promise<void> {
  if (scope.subject === 'statuses') {
    await readResource(context, scope.target)
    return
  }
  if (scope.subject === 'all-resources' || scope.ownerId === null) return
  const { kind, ownerId } = scope
  const parent = must(kind.parent, `parent of ${kind.kind}`)
  if (await resourceExists(context.database, parent.kind, ownerId)) return
  throw parentNotFound(kind, ownerId)
}
