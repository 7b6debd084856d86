import { chunksOf } from '../../../lib/chunks-of.ts'
import { compareText } from '../../../lib/text/compare-text.ts'
import type { Resource } from '../../model/resource.ts'
import type { Database } from '../../database/database.ts'
import { INSERTED_COLUMNS, newRow } from '../resource-row.ts'
import { MAX_ROWS_LENGTH } from './insert-resources.ts'

const ROW_COLUMNS = INSERTED_COLUMNS.map(({ name }) => name).join(', ')
const ROW_TYPES = INSERTED_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')

const INSERT_UNLESS_TAKEN = {
  name: 'insert_unless_taken',
  text: `
    insert into resources (${ROW_COLUMNS})
    select ${ROW_COLUMNS}
    from json_to_recordset($1::json) as resource (${ROW_TYPES})
    order by tenant, kind, owner_id, name
    on conflict (tenant, kind, owner_id, name) where deleted_time is null do nothing
    returning id`,
}

/** The text of a new row. */
export function rowText(resource: Resource): string {
  return JSON.stringify(newRow(resource))
}

/**
 * Inserts resources whose parents and targets the transaction has locked, except those whose name
 * is taken. Returns the ids of the inserted ones. Rows are inserted in the order of their names, so
 * that two transactions with the same names do not deadlock. `texts` has rows that were serialized
 * before the transaction.
 */
export async function insertUnlessTaken(
  database: Database,
  resources: readonly Resource[],
  texts: ReadonlyMap<Resource, string>,
): Promise<ReadonlySet<string>> {
  const records = resources
    .toSorted(byName)
    .map((resource) => texts.get(resource) ?? rowText(resource))
  const inserted = new Set<string>()
  for (const chunk of chunksOf(records, ({ length }) => length, MAX_ROWS_LENGTH)) {
    const rows = await database.execute<{ id: string }>(INSERT_UNLESS_TAKEN, [
      `[${chunk.join(',')}]`,
    ])
    for (const { id } of rows) inserted.add(id)
  }
  return inserted
}

/** The order of the index of names. */
function byName(first: Resource, second: Resource): number {
  return (
    compareText(first.tenant, second.tenant) ||
    compareText(first.kind, second.kind) ||
    compareText(first.ownerId, second.ownerId) ||
    compareText(first.name, second.name)
  )
}
