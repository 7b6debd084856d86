import { type FlotillaError } from '../lib/errors.ts'
import { resourceVersionExpired } from '../store/feed/resource-version.ts'
import type { Following, Backpressure } from '../store/feed/broadcaster.ts'
import type { CachedSnapshot } from './cache/snapshot-cache.ts'
import type { Change } from '../store/model/change.ts'
import type { Context } from '../store/operations/context.ts'

/** A change in a subtree. */
export interface TreeChange {
  readonly change: Change
  /** Kind of the changed resource, or of the resource that the report belongs to. */
  readonly kind: string
}

/** Receives the changes of a subtree. Only `ready` may throw. */
export interface TreeFollower {
  send(changes: readonly TreeChange[]): void
  /** Called when the root is removed. No change follows. */
  ended(): void
  /** Called when the log no longer has the next changes. */
  fail(error: FlotillaError): void
  /** Resolves when the follower can take more changes. */
  ready(): Promise<void>
  /** The pace of all followers together. */
  readonly backpressure: Backpressure
}

/** Sends the changes of a subtree after a snapshot of it, in the order of the log. */
export function followTree(
  { feed }: Pick<Context, 'feed'>,
  { state, resourceVersion }: CachedSnapshot,
  follower: TreeFollower,
): Promise<Following> {
  /** Kinds by ID. Removed resources stay, because changes of their reports follow. */
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
      const subtreeChanges: TreeChange[] = []
      for (const change of changes) {
        const kind = kindOf(change)
        if (kind !== undefined) subtreeChanges.push({ change, kind })
      }
      if (subtreeChanges.length > 0) follower.send(subtreeChanges)
      if (subtreeChanges.some(({ change }) => isEnd(change, state.root.id))) follower.ended()
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
