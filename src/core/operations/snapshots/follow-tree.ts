import { type FlotillaError } from '../../../lib/errors.ts'
import { resourceVersionExpired } from '../../feed/resource-version.ts'
import type { Following, Backpressure } from '../../feed/broadcaster.ts'
import type { CachedSnapshot } from '../../snapshots/snapshot-cache.ts'
import type { Change } from '../../model/change.ts'
import type { Context } from '../context.ts'

/** A change of a tree. */
export interface TreeChange {
  readonly change: Change
  /** Kind of the resource that is changed, or that the report is about. */
  readonly kind: string
}

/** Who is told of the changes of a tree; nothing here may throw but `ready`. */
export interface TreeFollower {
  tell(changes: readonly TreeChange[]): void
  /** The root has been removed: there are no more changes. */
  ended(): void
  /** What follows cannot be told any more. */
  fail(error: FlotillaError): void
  /** Resolves when more can be taken. */
  ready(): Promise<void>
  /** How fast all followers together can take changes. */
  readonly backpressure: Backpressure
}

/** Tells what changes in a tree after it was seen, in the order of the log. */
export function followTree(
  { feed }: Pick<Context, 'feed'>,
  { state, resourceVersion }: CachedSnapshot,
  follower: TreeFollower,
): Promise<Following> {
  /** Kinds by id; of what has been removed too, as its reports go after it. */
  const kinds = new Map<string, string>()
  for (const { id, kind } of [...state.resources.values()].flat()) kinds.set(id, kind)

  function kindOf(change: Change): string | undefined {
    if (change.subject === 'status') return kinds.get(change.resourceId)
    const { id, ownerId, kind } = change.resource
    if (!kinds.has(id) && kinds.has(ownerId)) kinds.set(id, kind)
    return kinds.get(id)
  }

  return feed.broadcaster.follow(resourceVersion, {
    onChanges: (changes) => {
      const told: TreeChange[] = []
      for (const change of changes) {
        const kind = kindOf(change)
        if (kind !== undefined) told.push({ change, kind })
      }
      if (told.length > 0) follower.tell(told)
      if (told.some(({ change }) => isEnd(change, state.root.id))) follower.ended()
    },
    onLost: () => follower.fail(resourceVersionExpired()),
    ready: () => follower.ready(),
    backpressure: follower.backpressure,
  })
}

function isEnd(change: Change, rootId: string): boolean {
  if (change.subject === 'status' || change.type !== 'DELETED') return false
  return change.resource.id === rootId
}
