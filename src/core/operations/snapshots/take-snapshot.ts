import { FlotillaError, notFound } from '../../../lib/errors.ts'
import { within } from '../../../lib/async/within.ts'
import type { Sight } from '../../snapshots/view.ts'
import type { TenantScope } from '../../model/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Context } from '../context.ts'

/** How long a tree that is not in memory is waited for. */
const PATIENCE_MS = { warm: 10_000, cold: 1000 }

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
  readonly sight: Sight | null
}

/**
 * A tree as it is now, read where it is not in memory. NTF-001 where there is no such root; SVC-002
 * where reading takes too long: a request that is not warm gets what is known instead.
 */
export async function takeSnapshot(
  context: Pick<Context, 'view'>,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const { tenant, kind, idOrName, warm } = request
  const root = { tenant, kind: kind.kind, idOrName }
  const held = context.view.held(root)
  if (held) return snapshotOf(held)
  const loading = context.view.load(root)
  const loaded = loading.done.then((sight) => {
    if (sight) return snapshotOf(sight)
    throw notFound(kind.kind, idOrName)
  })
  const snapshot = await within(loaded, warm ? PATIENCE_MS.warm : PATIENCE_MS.cold)
  if (snapshot) return snapshot
  if (!warm && loading.foundId !== null) return { id: loading.foundId, sight: null }
  const advice = warm ? 'try again' : 'try again, or with warm=true to wait longer'
  throw new FlotillaError('SVC-002', `${kind.kind} '${idOrName}' is still being read: ${advice}`)
}

function snapshotOf(sight: Sight): Snapshot {
  return { id: sight.state.root.id, sight }
}
