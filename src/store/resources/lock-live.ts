import type { Database } from '../database/database.ts'

const LOCK_LIVE = {
  name: 'lock_live',
  text: `
    select id, tenant, kind, required_adapters, deleted_time is null as live from resources
    where id = any((select $1::text[])::text[])
    order by id
    for share`,
}

/** A resource that is locked against deletion. */
export interface LockedResource {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly required_adapters: readonly string[] | null
  /** False if it is being deleted. */
  readonly live: boolean
}

/**
 * Locks resources `for share` until the transaction ends, in the order of their ids: parents and
 * targets of references of resources that the transaction inserts. Waits for a deletion that has
 * locked one, and returns its result. A later deletion waits for the transaction.
 */
export async function lockLive(
  database: Database,
  ids: readonly string[],
): Promise<readonly LockedResource[]> {
  if (ids.length === 0) return []
  return database.execute<LockedResource>(LOCK_LIVE, [ids])
}
