import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../store/database/database.ts'

const READ_DECLARING_KINDS = {
  name: 'read_declaring_kinds',
  text: `
    select distinct kind from resources
    where required_adapters ? $1::text and required_adapters <> '[]'`,
}

/** The kinds of the resources that declare an adapter. */
export async function readDeclaringKinds(
  database: Database,
  adapter: string,
): Promise<ReadonlySet<string>> {
  const rows = await database.execute<{ kind: string }>(READ_DECLARING_KINDS, [adapter])
  return new Set(rows.map(({ kind }) => kind))
}

/**
 * Selects the resources that declare an adapter, with a search. After a later declaration without
 * the adapter, its report still selects the resource: its deletion waits for the adapter. The first
 * comparison selects the index of the resources that declare adapters.
 */
export function declaringFilter(adapter: string, search: Sql | null): Sql {
  const declares = sql`resources.required_adapters is not null
    and (resources.required_adapters ? ${adapter}::text or exists (
      select 1 from adapter_statuses as declared
      where declared.resource_id = resources.id and declared.adapter = ${adapter}::text))`
  return search === null ? declares : sql`${declares} and (${search})`
}
