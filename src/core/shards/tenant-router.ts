import { tenantMoving } from '../model/tenant-moving.ts'
import { isServed } from '../storage/shards/tenant-states.ts'
import type { ShardDirectory } from './shard-directory.ts'
import type { ShardTenants } from './shard-tenants.ts'

/** The servers that serve the requests of a tenant. */
export type TenantRoute =
  /** By this server. */
  | { readonly type: 'local' }
  /** By the servers of another shard. */
  | { readonly type: 'shard'; readonly shard: string }

export interface RouterParts {
  /** The name of this server's shard. */
  readonly name: string
  readonly tenants: ShardTenants
  readonly directory: ShardDirectory
}

/**
 * Finds the shard of a tenant. The database of a shard decides whether the shard serves a tenant; the
 * directory only says where to ask. Throws `unavailable` while the tenant arrives.
 */
export async function routeOfTenant(
  { name, tenants, directory }: RouterParts,
  tenant: string,
): Promise<TenantRoute> {
  const state = await tenants.stateOf(tenant)
  if (isServed(state)) return { type: 'local' }
  const shard = await directory.shardOf(tenant)
  if (shard !== name) return { type: 'shard', shard }
  if (state === null) {
    await tenants.admit(tenant)
    if (isServed(await tenants.newestStateOf(tenant))) return { type: 'local' }
  }
  // The entry of the directory is older than the state.
  directory.forget(tenant)
  const current = await directory.shardOf(tenant)
  if (current !== name) return { type: 'shard', shard: current }
  // The tenant may have arrived since the last read of the states.
  if (isServed(await tenants.newestStateOf(tenant))) return { type: 'local' }
  throw tenantMoving()
}
