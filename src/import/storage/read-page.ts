import type { Database } from '../../store/database/database.ts'
import { RESOURCE_COLUMNS } from '../../store/resources/resource-row.ts'
import { STATUS_RECORDS } from '../../store/status-records/record-column.ts'
import { allowPauses } from './allow-pauses.ts'
import { type Existing, existingOf, type ExistingRow } from './read-existing.ts'

const PAGE_SIZE = 500

const READ_EXPORTED = {
  name: 'read_exported',
  text: `
    select ${RESOURCE_COLUMNS}, ${STATUS_RECORDS} as records
    from resources
    where kind = $1::text and id > $2::text
    order by id limit $3::integer`,
}

const SET_EXPORT_SNAPSHOT = {
  name: 'set_export_snapshot',
  text: 'set transaction isolation level repeatable read, read only',
}

/** Begins the state of one moment. The first statement of a transaction. */
export async function beginExport(transaction: Database): Promise<void> {
  await transaction.execute(SET_EXPORT_SNAPSHOT, [])
  // The reader of an export can be slow.
  await allowPauses(transaction, 0)
}

/** The next resources of a kind by id; none after the last one. */
export async function readPage(
  database: Database,
  kind: string,
  after: string,
): Promise<readonly Existing[]> {
  const rows = await database.execute<ExistingRow>(READ_EXPORTED, [kind, after, PAGE_SIZE])
  return rows.map(existingOf)
}
