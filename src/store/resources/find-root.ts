import { NO_TENANT, type TenantScope } from '../../access/tenant.ts'
import type { Database } from '../database/database.ts'
import { isStorableText } from '../database/storable-text.ts'

/** A root resource without its content. */
export interface RootResource {
  readonly id: string
  readonly name: string
  readonly createdTime: Date
  readonly tenant: string
}

/** An ID or a name of a root resource, and the tenant that may use it; null for every tenant. */
export interface RootReference {
  readonly reference: string
  /** Without a tenant, names belong to resources without a tenant. */
  readonly tenant: TenantScope
}

/**
 * An ID takes precedence over a name. The resources of other tenants are not found, so that their IDs
 * do not hide names.
 */
const FIND_ROOT = {
  name: 'find_root',
  text: `
    select id, name, created_time as "createdTime", tenant from (
      select id, name, created_time, tenant, 1 as priority from resources
      where id = $2::text and kind = $1::text and owner_id = ''
        and ($3::text is null or tenant = $3::text)
      union all
      select id, name, created_time, tenant, 2 from resources
      where tenant = coalesce($3::text, '${NO_TENANT}') and kind = $1::text and owner_id = ''
        and name = $2::text and deleted_time is null
    ) as found
    order by priority limit 1`,
}

/** Subqueries hide the lengths of the arrays: PostgreSQL would plan each statement for its own. */
const FIND_ROOTS = {
  name: 'find_roots',
  text: `
    select wanted.position::integer - 1 as position, found.id, found.name,
      found.created_time as "createdTime", found.tenant
    from unnest((select $2::text[]), (select $3::text[])) with ordinality
      as wanted (reference, tenant, position)
    cross join lateral (
      select candidate.* from (
        select id, name, created_time, tenant, 1 as priority from resources
        where id = wanted.reference and kind = $1::text and owner_id = ''
          and (wanted.tenant is null or resources.tenant = wanted.tenant)
        union all
        select id, name, created_time, tenant, 2 from resources
        where resources.tenant = coalesce(wanted.tenant, '${NO_TENANT}') and kind = $1::text
          and owner_id = '' and name = wanted.reference and deleted_time is null
      ) as candidate
      order by priority limit 1
    ) as found`,
}

/** Finds root resources by their IDs, else by the names of live ones, in the order of the input. */
export async function findRoots(
  database: Database,
  kind: string,
  references: readonly RootReference[],
): Promise<readonly (RootResource | null)[]> {
  const found: (RootResource | null)[] = references.map(() => null)
  const [first, second] = references
  if (first === undefined) return found
  if (second === undefined) return [await findRoot(database, kind, first)]
  const wanted = references.map(({ reference }) => (isStorableText(reference) ? reference : null))
  const rows = await database.execute<RootResource & { readonly position: number }>(FIND_ROOTS, [
    kind,
    wanted,
    references.map(({ tenant }) => tenant),
  ])
  for (const { position, ...root } of rows) found[position] = root
  return found
}

/** A statement for one reference is cheaper than the statement for a list. */
async function findRoot(
  database: Database,
  kind: string,
  { reference, tenant }: RootReference,
): Promise<RootResource | null> {
  if (!isStorableText(reference)) return null
  return (await database.execute<RootResource>(FIND_ROOT, [kind, reference, tenant]))[0] ?? null
}
