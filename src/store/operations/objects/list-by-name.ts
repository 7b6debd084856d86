import sql, { empty, join, raw } from 'sql-template-tag'
import type { TenantScope } from '../../../access/tenant.ts'
import type { ReadResource } from '../../model/resource.ts'
import type { ObjectSelector } from '../../objects/model/object-query.ts'
import { selectorConditions } from '../../objects/storage/selector-sql.ts'
import type { Database } from '../../database/database.ts'
import { READ_COLUMNS, type ReadRow, resourceOf } from '../../resources/resource-row.ts'

/** Resources of one kind in the order of their names. */
export interface NameQuery {
  readonly kind: string
  readonly tenant: TenantScope
  /** ID of the parent, or NO_OWNER. */
  readonly ownerId: string
  readonly selector: ObjectSelector
  /** The name before the page; null for the first page. */
  readonly after: string | null
  /** Null for all. */
  readonly limit: number | null
}

/** A page, and the revision of the log in the same snapshot. */
export interface NamePage {
  readonly resources: readonly ReadResource[]
  readonly revision: bigint
}

type Row = { readonly head_revision: bigint } & (ReadRow | { readonly id: null })

/**
 * Reads a page of resources by name. Of several resources with one name, all but the newest are
 * being deleted, and only the newest is read.
 */
export async function listByName(database: Database, query: NameQuery): Promise<NamePage> {
  const { kind, tenant, ownerId, selector, after, limit } = query
  const conditions = [
    sql`kind = ${kind}::text`,
    sql`owner_id = ${ownerId}::text`,
    ...(tenant === null ? [] : [sql`tenant = ${tenant}::text`]),
    ...(after === null ? [] : [sql`name > ${after}::text`]),
    ...selectorConditions(selector),
  ]
  const statement = sql`
    select head.revision as head_revision, found.* from head left join lateral (
      select distinct on (name) ${raw(READ_COLUMNS)}
      from (select *, '' as namespace, '{}'::jsonb as body from resources) as objects
      where ${join(conditions, ' and ')}
      order by name, (deleted_time is null) desc, created_time desc, id
      ${limit === null ? empty : sql`limit ${limit}::bigint`}
    ) as found on true
    order by found.name`
  const rows = await database.query<Row>('list_by_name', statement)
  return {
    resources: rows.flatMap((row) => (row.id === null ? [] : [resourceOf(row)])),
    revision: rows[0]?.head_revision ?? 0n,
  }
}
