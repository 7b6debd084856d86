import type { StatusRecord } from '../model/status-record.ts'
import {
  STATUS_RECORDS,
  type StatusRecordColumn,
  versionedStatusOf,
} from '../status-records/record-column.ts'
import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { RESOURCE_COLUMNS, resourceOf, type ResourceRow } from './resource-row.ts'
import type { ResourceWithReports } from './resource-with-reports.ts'

/** A resource with the complete reports of its adapters. */
export interface ResourceWithStatuses extends ResourceWithReports {
  readonly states: readonly StatusRecord[]
}

type Row = ResourceRow & { readonly states: readonly StatusRecordColumn[] | null }

const READ_FOR_UPDATE = {
  name: 'read_for_update',
  text: `
    select ${RESOURCE_COLUMNS}, ${STATUS_RECORDS} as states
    from resources
    where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
      and ($4::text is null or tenant = $4::text)`,
}

/** Reads a resource with its reports, or returns null. */
export async function readForUpdate(
  database: Database,
  key: ResourceKey,
): Promise<ResourceWithStatuses | null> {
  if (!isStorableKey(key)) return null
  const values = [key.id, key.kind, key.ownerId ?? null, key.tenant ?? null]
  const [row] = await database.execute<Row>(READ_FOR_UPDATE, values)
  if (!row) return null
  const states = (row.states ?? []).map((column) => versionedStatusOf(column).status)
  return { resource: resourceOf(row), states }
}
