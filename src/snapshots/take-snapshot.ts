import { FlotillaError, notFound } from '../lib/errors.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import type { CachedSnapshot, SnapshotCache } from './cache/snapshot-cache.ts'
import type { TenantScope } from '../access/tenant.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'

/** How long a request waits for a subtree that is not in memory. */
const TIMEOUT_MS = 10_000

export interface SnapshotRequest {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly idOrName: string
}

/**
 * The current snapshot of a subtree; reads the subtree if it is not in memory. Fails with
 * `not-found` if the root does not exist, and with `timeout` if the read takes too long.
 */
export async function takeSnapshot(
  snapshots: SnapshotCache,
  { tenant, kind, idOrName }: SnapshotRequest,
): Promise<CachedSnapshot> {
  const root = { tenant, kind: kind.kind, idOrName }
  const cached = snapshots.get(root)
  if (cached) return cached
  const loaded = snapshots.load(root).then((found) => {
    if (found) return found
    throw notFound(kind.kind, idOrName)
  })
  const snapshot = await withTimeout(loaded, TIMEOUT_MS)
  if (snapshot) return snapshot
  throw new FlotillaError('timeout', `${kind.kind} '${idOrName}' is still being read: try again`)
}
