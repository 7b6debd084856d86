import type { Table } from '../store/tables/table.ts'
import { formatTenant } from '../access/tenant.ts'
import { unadmittedTenants } from './storage/adopt-tenants.ts'
import { assignMissing, type MisplacedTenant } from './storage/assignments.ts'
import { listShards, placeTenant } from './storage/directory.ts'
import { joinShard } from './storage/join-shard.ts'
import { admitTenant } from './storage/tenant-states.ts'
import { SettingError } from '../lib/setting-error.ts'
import { findMisplacedTenants, type ShardDatabases } from './misplaced-tenants.ts'

/** The tenants that an error names. */
const MAX_NAMED = 10

/**
 * Makes a database the shard with this name, and places the tenants that it already contains. Throws
 * a SettingError if the directory does not list the shard, or if the database or a tenant belongs to
 * another shard.
 */
export async function claimShard(
  databases: ShardDatabases,
  tables: readonly Table[],
  name: string,
): Promise<void> {
  const { database, directory } = databases
  const shards = await listShards(directory)
  if (!shards.some((shard) => shard.name === name)) {
    throw new SettingError(
      `SHARD: the directory has no shard '${name}': run flotilla shards add ${name}`,
    )
  }
  const found = await joinShard(database, tables, name)
  if (found !== name) {
    throw new SettingError(
      `name of SHARD is '${name}', but the database belongs to the shard '${found}': check DATABASE_URL`,
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
  await requireAgreement(databases, name)
}

/** Assigns the tenants of the shard that the directory lacks, and fails if it has others elsewhere. */
async function requireAgreement(databases: ShardDatabases, name: string): Promise<void> {
  const misplaced = await findMisplacedTenants(databases, name)
  const missing = misplaced.filter(({ shard }) => shard === null).map(({ tenant }) => tenant)
  if (missing.length > 0) await assignMissing(databases.directory, name, missing)
  const remaining = missing.length > 0 ? await findMisplacedTenants(databases, name) : misplaced
  if (remaining.length > 0) throw new SettingError(contradiction(remaining, name))
}

function contradiction(misplaced: readonly MisplacedTenant[], name: string): string {
  const named = misplaced
    .slice(0, MAX_NAMED)
    .map(({ tenant, shard }) => `${formatTenant(tenant)} (${shard})`)
  const others = misplaced.length > MAX_NAMED ? ` and ${misplaced.length - MAX_NAMED} others` : ''
  return (
    `the shard '${name}' serves tenants that the directory has in other shards, as after a restore: ` +
    `${named.join(', ')}${others}: for each tenant, run flotilla shards keep TENANT NAME with the ` +
    `shard whose data you want to keep; see docs/scale.md#restore-a-shard`
  )
}
