import type pg from 'pg'

/** A table of the schema. */
export interface StoredTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** The tables of a backup, including those of older schemas. A test compares them with the schema. */
export const SAVED_TABLES = [
  'adapter_statuses',
  'audit_events',
  'changes',
  'count_minutes',
  'force_deletions',
  'head',
  'history_cursor',
  'idempotency_keys',
  'inbox',
  'load_minutes',
  'members',
  'object_changes',
  'object_head',
  'object_outbox',
  'objects',
  'outbox',
  'planes',
  'resource_counts',
  'resource_history',
  'resources',
  'sandbox_operations',
  'sandbox_states',
  'shard',
  'shards',
  'signing_keys',
  'tenant_moves',
  'tenant_shards',
  'tenant_states',
  'webhook_cursor',
  'webhook_deliveries',
  'webhook_queues',
  'webhooks',
] as const

/** Servers fill these tables again from resources and reports, so a restore empties them. */
export const DERIVED_TABLES = ['adapter_queues', 'adapter_work'] as const

const TABLES = `
  select t.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
     where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    ) as columns,
    array(select distinct f.relname::text from pg_constraint c join pg_class f on f.oid = c.confrelid
     where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid
    ) as parents
  from pg_class t
  where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
    and not t.relispartition and t.relname = any($1::text[])
  order by t.relname`

interface TableRow extends StoredTable {
  /** The tables that foreign keys refer to. */
  readonly parents: readonly string[]
}

/**
 * Those of the named tables that the schema has. A table follows the tables that its foreign keys
 * refer to. Tables of other applications in the same schema do not count.
 */
export async function tablesInOrder(
  client: pg.ClientBase,
  names: readonly string[],
): Promise<readonly StoredTable[]> {
  const { rows } = await client.query<TableRow>(TABLES, [names])
  const ordered: TableRow[] = []
  const waiting = [...rows]
  while (waiting.length > 0) {
    const isFree = ({ parents }: TableRow) =>
      parents.every((parent) => ordered.some(({ name }) => name === parent))
    const next = waiting.findIndex(isFree)
    // Foreign keys in a circle have no order: restoring them fails, and the tests would show it.
    ordered.push(...waiting.splice(Math.max(0, next), 1))
  }
  return ordered.map(({ name, columns }) => ({ name, columns }))
}
