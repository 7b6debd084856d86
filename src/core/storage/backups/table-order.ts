import type pg from 'pg'

/** A table of the schema. */
export interface StoredTable {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * The history of migrations follows from the schema, registrations of servers end with their
 * servers, and the queues of adapters are filled again from resources and reports.
 */
const OMITTED = ['_prisma_migrations', 'servers', 'adapter_queues', 'adapter_work']

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
    and not t.relispartition and t.relname <> all($1::text[])
  order by t.relname`

interface TableRow extends StoredTable {
  /** The tables that foreign keys refer to. */
  readonly parents: readonly string[]
}

/** The tables of a backup. A table follows the tables that its foreign keys refer to. */
export async function tablesInOrder(client: pg.ClientBase): Promise<readonly StoredTable[]> {
  const { rows } = await client.query<TableRow>(TABLES, [OMITTED])
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
