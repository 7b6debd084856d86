import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import {
  STATUS_RECORDS,
  type StatusRecordColumn,
  type VersionedStatus,
  versionedStatusOf,
} from '../status-records/record-column.ts'

const LIST_STATUS_RECORDS = {
  name: 'list_status_records',
  text: `
    select ${STATUS_RECORDS} as records
    from resources
    where id = $1::text and ($2::text is null or kind = $2::text)
      and ($3::text is null or owner_id = $3::text) and ($4::text is null or tenant = $4::text)`,
}

/** Returns all reports of a resource by adapter, at most 100; null if the resource does not exist. */
export async function listStatusRecords(
  database: Database,
  key: Pick<ResourceKey, 'id'> & Partial<ResourceKey>,
): Promise<readonly VersionedStatus[] | null> {
  if (!isStorableKey(key)) return null
  const { id, kind = null, ownerId = null, tenant = null } = key
  const values = [id, kind, ownerId, tenant]
  const [row] = await database.execute<{ records: readonly StatusRecordColumn[] | null }>(
    LIST_STATUS_RECORDS,
    values,
  )
  return row ? (row.records ?? []).map(versionedStatusOf) : null
}
