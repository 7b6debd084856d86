import type { Database } from '../../store/database/database.ts'

/** A shard in the directory. */
export interface Shard {
  readonly name: string
  /** The URL of its database. */
  readonly database: string
  /** The URLs of its servers. */
  readonly servers: readonly string[]
  /** Whether new tenants may be placed in it. */
  readonly acceptsTenants: boolean
  readonly tenants: number
}

const LIST_SHARDS = {
  name: 'list_shards',
  text: `
    select name, database, servers, accepts_tenants as "acceptsTenants",
      (select count(*) from tenant_shards where shard = shards.name)::integer as tenants
    from shards order by name`,
}

/** All shards, by name. */
export function listShards(directory: Database): Promise<readonly Shard[]> {
  return directory.execute<Shard>(LIST_SHARDS, [])
}

const SAVE_SHARD = {
  name: 'save_shard',
  text: `
    insert into shards (name, database, servers, accepts_tenants)
    values ($1::text, $2::text, $3::text[], true)
    on conflict (name) do update set database = excluded.database, servers = excluded.servers`,
}

/** Adds an open shard, or replaces the URLs of a shard: a closed one stays closed. */
export async function saveShard(
  directory: Database,
  { name, database, servers }: Pick<Shard, 'name' | 'database' | 'servers'>,
): Promise<void> {
  await directory.execute(SAVE_SHARD, [name, database, servers])
}

const FIND_SHARDS_OF_TENANTS = {
  name: 'find_shards_of_tenants',
  text: 'select tenant, shard from tenant_shards where tenant = any($1::text[])',
}

/** The names of the shards of tenants. Tenants without a shard are absent. */
export async function findShardsOfTenants(
  directory: Database,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await directory.execute<{ tenant: string; shard: string }>(FIND_SHARDS_OF_TENANTS, [
    tenants,
  ])
  return new Map(rows.map(({ tenant, shard }) => [tenant, shard]))
}

const TENANTS_OF_SHARD = {
  name: 'tenants_of_shard',
  text: 'select tenant from tenant_shards where shard = $1::text order by tenant',
}

/** The tenants of a shard. */
export async function tenantsOfShard(
  directory: Database,
  shard: string,
): Promise<readonly string[]> {
  const rows = await directory.execute<{ tenant: string }>(TENANTS_OF_SHARD, [shard])
  return rows.map(({ tenant }) => tenant)
}

/**
 * The shard with the fewest tenants. The digest distributes tenants that arrive together, whose
 * statements see the same counts.
 */
const PLACE_TENANT = {
  name: 'place_tenant',
  text: `
    insert into tenant_shards (tenant, shard)
    select $1::text, name from shards
    where accepts_tenants and ($2::text is null or name = $2::text)
    order by (select count(*) from tenant_shards where shard = shards.name),
      md5($1::text || shards.name)
    limit 1
    on conflict (tenant) do nothing`,
}

/**
 * Places a new tenant in a shard: in the one with this name, or in the one with the fewest tenants.
 * Changes nothing if the tenant has a shard. Returns the tenant's shard; null if none accepts tenants.
 */
export async function placeTenant(
  directory: Database,
  tenant: string,
  shard: string | null,
): Promise<string | null> {
  await directory.execute(PLACE_TENANT, [tenant, shard])
  return (await findShardsOfTenants(directory, [tenant])).get(tenant) ?? null
}

const SET_ACCEPTS_TENANTS = {
  name: 'set_shard_accepts_tenants',
  text: 'update shards set accepts_tenants = $2::boolean where name = $1::text returning name',
}

/** Opens a shard to new tenants, or closes it. Returns false if there is no such shard. */
export async function setAcceptsTenants(
  directory: Database,
  name: string,
  accepts: boolean,
): Promise<boolean> {
  const rows = await directory.execute<{ name: string }>(SET_ACCEPTS_TENANTS, [name, accepts])
  return rows.length > 0
}
