import { tenantMoving } from '../store/model/tenant-moving.ts'
import { isServed } from './storage/tenant-states.ts'
import type { ShardDirectory } from './shard-directory.ts'
import type { ShardTenants } from './shard-tenants.ts'

/** The servers that serve the requests of a tenant. */
export type TenantRoute =
  /** By this server. */
  | { readonly type: 'local' }
  /** By the servers of another shard. */
  | { readonly type: 'shard'; readonly shard: string }
  /** By none: the tenant has no shard, and its caller may not place it. */
  | { readonly type: 'unplaced' }

export interface RouterParts {
  /** The name of this server's shard. */
  readonly name: string
  readonly tenants: ShardTenants
  readonly directory: ShardDirectory
}

/**
 * Finds the shard of a tenant. The database of a shard decides whether the shard serves a tenant; the
 * directory only says where to ask. A tenant is placed in a shard, and admitted to it, only if
 * `mayPlace` allows it. Throws `unavailable` while the tenant arrives.
 */
export async function routeOfTenant(
  { name, tenants, directory }: RouterParts,
  tenant: string,
  mayPlace: () => Promise<boolean>,
): Promise<TenantRoute> {
  const state = await tenants.stateOf(tenant)
  if (isServed(state)) return { type: 'local' }
  const shard = (await directory.find(tenant)) ?? (await placed())
  if (shard === null) return { type: 'unplaced' }
  if (shard !== name) return { type: 'shard', shard }
  // The cached entry may be older than the state.
  directory.forget(tenant)
  const current = (await directory.find(tenant)) ?? (await placed())
  if (current === null) return { type: 'unplaced' }
  if (current !== name) return { type: 'shard', shard: current }
  if (state === null || state === 'departed') {
    if (!(await mayPlace())) return { type: 'unplaced' }
    // Changes nothing unless the tenant is new here, or was forgotten.
    await tenants.admit(tenant)
  }
  // The tenant may have arrived since the last read of the states.
  if (isServed(await tenants.newestStateOf(tenant))) return { type: 'local' }
  throw tenantMoving()

  async function placed(): Promise<string | null> {
    return (await mayPlace()) ? await directory.place(tenant) : null
  }
}
