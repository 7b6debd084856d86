import { FlotillaError, notFound } from '../../../lib/errors.ts'
import { withTimeout } from '../../../lib/async/with-timeout.ts'
import type { CachedSnapshot } from '../../snapshots/snapshot-cache.ts'
import type { TenantScope } from '../../model/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Context } from '../context.ts'

/** How long a request waits for a subtree that is not in memory. */
const TIMEOUT_MS = { warm: 10_000, cold: 1000 }

export interface SnapshotRequest {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly idOrName: string
  /** Whether to wait longer for a subtree that is not in memory. */
  readonly warm: boolean
}

/** A subtree at one moment, or proof that its root exists. */
export interface Snapshot {
  readonly id: string
  /** Null if the subtree is not in memory yet. */
  readonly cached: CachedSnapshot | null
}

/**
 * The current snapshot of a subtree; reads the subtree if it is not in memory. Fails with
 * `not-found` if the root does not exist, and with `timeout` if the read takes too long. Without
 * `warm`, a slow read yields the root's ID alone.
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
  const loaded = loading.done.then((cached) => {
    if (cached) return snapshotOf(cached)
    throw notFound(kind.kind, idOrName)
  })
  const snapshot = await withTimeout(loaded, warm ? TIMEOUT_MS.warm : TIMEOUT_MS.cold)
  if (snapshot) return snapshot
  if (!warm && loading.foundId !== null) return { id: loading.foundId, cached: null }
  const advice = warm ? 'try again' : 'try again, or with warm=true to wait longer'
  throw new FlotillaError('timeout', `${kind.kind} '${idOrName}' is still being read: ${advice}`)
}

function snapshotOf(cached: CachedSnapshot): Snapshot {
  return { id: cached.state.root.id, cached }
}
