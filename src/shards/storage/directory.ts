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

/** All shards, by name. */
export async function listShards(directory: Database): Promise<readonly Shard[]> {
  const shards = await directory.withPrisma('list_shards', (prisma) =>
    prisma.directoryShard.findMany({
      include: { _count: { select: { tenants: true } } },
      orderBy: { name: 'asc' },
    }),
  )
  return shards.map(({ _count: { tenants }, ...shard }) => ({ ...shard, tenants }))
}

/** Adds an open shard, or replaces the URLs of a shard: a closed one stays closed. */
export async function saveShard(
  directory: Database,
  { name, database, servers }: Pick<Shard, 'name' | 'database' | 'servers'>,
): Promise<void> {
  const urls = { database, servers: [...servers] }
  await directory.withPrisma('save_shard', (prisma) =>
    prisma.directoryShard.upsert({
      where: { name },
      create: { name, ...urls, acceptsTenants: true },
      update: urls,
      select: { name: true },
    }),
  )
}

/** The names of the shards of tenants. Tenants without a shard are absent. */
export async function findShardsOfTenants(
  directory: Database,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await directory.withPrisma('find_shards_of_tenants', (prisma) =>
    prisma.tenantShard.findMany({
      where: { tenant: { in: [...tenants] } },
      select: { tenant: true, shard: true },
    }),
  )
  return new Map(found.map(({ tenant, shard }) => [tenant, shard]))
}

/** The tenants of a shard. */
export async function tenantsOfShard(
  directory: Database,
  shard: string,
): Promise<readonly string[]> {
  const found = await directory.withPrisma('tenants_of_shard', (prisma) =>
    prisma.tenantShard.findMany({
      where: { shard },
      select: { tenant: true },
      orderBy: { tenant: 'asc' },
    }),
  )
  return found.map(({ tenant }) => tenant)
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

/** Opens a shard to new tenants, or closes it. Returns false if there is no such shard. */
export async function setAcceptsTenants(
  directory: Database,
  name: string,
  accepts: boolean,
): Promise<boolean> {
  const { count } = await directory.withPrisma('set_shard_accepts_tenants', (prisma) =>
    prisma.directoryShard.updateMany({ where: { name }, data: { acceptsTenants: accepts } }),
  )
  return count > 0
}
