import { FlotillaError, notFound } from '../../../lib/errors.ts'
import { within } from '../../../lib/async/within.ts'
import type { CachedSnapshot } from '../../snapshots/snapshot-cache.ts'
import type { TenantScope } from '../../model/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Context } from '../context.ts'

/** How long a tree that is not in memory is waited for. */
const TIMEOUT_MS = { warm: 10_000, cold: 1000 }

export interface SnapshotRequest {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly idOrName: string
  /** Wait as long as it may take to read the tree. */
  readonly warm: boolean
}

/** A tree at one moment, or the word that it exists and is not in memory yet. */
export interface Snapshot {
  readonly id: string
  /** Null where it is not in memory yet. */
  readonly sight: CachedSnapshot | null
}

/**
 * A tree as it is now, read where it is not in memory. `not-found` where there is no such root; `timeout`
 * where reading takes too long: a request that is not warm gets what is known instead.
 */
export async function takeSnapshot(
  context: Pick<Context, 'snapshots'>,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const { tenant, kind, idOrName, warm } = request
  const root = { tenant, kind: kind.kind, idOrName }
  const held = context.snapshots.get(root)
  if (held) return snapshotOf(held)
  const loading = context.snapshots.load(root)
  const loaded = loading.done.then((sight) => {
    if (sight) return snapshotOf(sight)
    throw notFound(kind.kind, idOrName)
  })
  const snapshot = await within(loaded, warm ? TIMEOUT_MS.warm : TIMEOUT_MS.cold)
  if (snapshot) return snapshot
  if (!warm && loading.foundId !== null) return { id: loading.foundId, sight: null }
  const advice = warm ? 'try again' : 'try again, or with warm=true to wait longer'
  throw new FlotillaError('timeout', `${kind.kind} '${idOrName}' is still being read: ${advice}`)
}

function snapshotOf(sight: CachedSnapshot): Snapshot {
  return { id: sight.state.root.id, sight }
}
