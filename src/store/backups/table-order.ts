import type pg from 'pg'
import type { Table } from '../tables/table.ts'

/** A table of the schema. */
export interface StoredTable {
  readonly name: string
  readonly columns: readonly string[]
}

/** The names of the tables of a backup, including those of older schemas. */
export function savedTables(tables: readonly Table[]): readonly string[] {
  return tables.filter(({ backup }) => backup === 'saved').map(({ name }) => name)
}

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
