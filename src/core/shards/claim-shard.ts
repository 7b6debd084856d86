import type { Database } from '../storage/database/database.ts'
import { unadmittedTenants } from '../storage/shards/adopt-tenants.ts'
import { listShards, placeTenant } from '../storage/shards/directory.ts'
import { joinShard } from '../storage/shards/join-shard.ts'
import { admitTenant } from '../storage/shards/tenant-states.ts'
import { SettingError } from '../../lib/setting-error.ts'

interface Databases {
  /** The database of the shard. */
  readonly database: Database
  readonly directory: Database
}

/**
 * Makes a database the shard with this name, and places the tenants that it already contains. Throws
 * a SettingError if the directory does not list the shard, or if the database or a tenant belongs to
 * another shard.
 */
export async function claimShard({ database, directory }: Databases, name: string): Promise<void> {
  const shards = await listShards(directory)
  if (!shards.some((shard) => shard.name === name)) {
    throw new SettingError(
      `SHARD_NAME: the directory has no shard '${name}': run flotilla shards add ${name}`,
    )
  }
  const found = await joinShard(database, name)
  if (found !== name) {
    throw new SettingError(
      `SHARD_NAME is '${name}', but the database belongs to the shard '${found}': check DATABASE_URL`,
    )
  }
  for (const tenant of await unadmittedTenants(database)) {
    const shard = await placeTenant(directory, tenant, name)
    if (shard !== name) {
      throw new SettingError(
        `the tenant ${tenant} has resources in this database, but the directory has it in ${shard ?? 'no shard'}: remove one of them, or let the shard accept tenants`,
      )
    }
    await admitTenant(database, tenant)
  }
}
