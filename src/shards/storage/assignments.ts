import type { Database } from '../../store/database/database.ts'
import type { Attempt } from './tenant-states.ts'

/** A tenant that a shard serves although the directory does not have it there. */
export interface MisplacedTenant {
  readonly tenant: string
  /** The shard in the directory, null if the directory lacks the tenant. */
  readonly shard: string | null
}

const FIND_MISPLACED = {
  name: 'find_misplaced_tenants',
  text: `
    select served.tenant, tenant_shards.shard
    from unnest($2::text[]) as served (tenant) left join tenant_shards using (tenant)
    where tenant_shards.shard is distinct from $1::text
      and not exists (select 1 from tenant_moves where tenant_moves.tenant = served.tenant)
    order by served.tenant`,
}

/** Those of the tenants that are neither assigned to the shard nor moving. */
export function findMisplaced(
  directory: Database,
  shard: string,
  tenants: readonly string[],
): Promise<readonly MisplacedTenant[]> {
  return directory.execute<MisplacedTenant>(FIND_MISPLACED, [shard, tenants])
}

const ASSIGN_MISSING = {
  name: 'assign_missing_tenants',
  text: `
    insert into tenant_shards (tenant, shard) select tenant, $1::text from unnest($2::text[]) as tenant
    on conflict (tenant) do nothing`,
}

/** Assigns tenants that the directory lacks to a shard, also if it accepts no new tenants. */
export async function assignMissing(
  directory: Database,
  shard: string,
  tenants: readonly string[],
): Promise<void> {
  await directory.execute(ASSIGN_MISSING, [shard, tenants])
}

const UNASSIGN = {
  name: 'unassign_tenant',
  text: `
    delete from tenant_shards
    where tenant = $1::text and attempt = $2::bigint
      and not exists (select 1 from tenant_moves where tenant = $1::text)
    returning tenant`,
}

/** Removes a tenant from the directory. Returns false if it moves, or if a newer attempt has begun. */
export async function unassignTenant(
  directory: Database,
  { tenant, attempt }: Attempt,
): Promise<boolean> {
  return (await directory.execute(UNASSIGN, [tenant, attempt])).length > 0
}

const REASSIGN = {
  name: 'reassign_tenant',
  text: `
    insert into tenant_shards as old (tenant, shard, attempt)
    select $1::text, $2::text, $3::bigint + 1
    where not exists (select 1 from tenant_moves where tenant = $1::text)
    on conflict (tenant) do update set shard = excluded.shard,
      attempt = greatest(old.attempt, $3::bigint) + 1
    returning attempt`,
}

/**
 * Assigns a tenant to a shard, and begins an attempt with a number above `seen`. Returns the number;
 * null if the tenant has an unfinished move.
 */
export async function reassignTenant(
  directory: Database,
  { tenant, shard, seen }: { tenant: string; shard: string; seen: bigint },
): Promise<bigint | null> {
  const [row] = await directory.execute<{ attempt: bigint }>(REASSIGN, [tenant, shard, seen])
  return row?.attempt ?? null
}
