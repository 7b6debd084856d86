import type { Resource } from '../../store/model/resource.ts'
import type { StatusRecord } from '../../store/model/status-record.ts'
import type { Database } from '../../store/database/database.ts'
import {
  RESOURCE_COLUMNS,
  resourceOf,
  type ResourceRow,
} from '../../store/resources/resource-row.ts'
import {
  STATUS_RECORDS,
  type StatusRecordColumn,
  versionedStatusOf,
} from '../../store/status-records/record-column.ts'

/**
 * The resources with these ids, and the live ones that have the names of the given resources. An OR of both
 * would read the whole table for each page.
 */
const READ_IMPORTED = {
  name: 'read_imported',
  text: `
    select ${RESOURCE_COLUMNS}, ${STATUS_RECORDS} as records
    from resources
    where id in (
      select unnest($1::text[])
      union
      select other.id from unnest($2::text[], $3::text[], $4::text[], $5::text[])
        as named (tenant, kind, owner_id, name)
      join resources as other using (tenant, kind, owner_id, name)
      where other.deleted_time is null)`,
}

/** A row of the target. */
export type ExistingRow = ResourceRow & { readonly records: readonly StatusRecordColumn[] | null }

/** A resource of the target. */
export interface Existing {
  readonly resource: Resource
  readonly records: readonly StatusRecord[]
}

/** Reads what the target has under the ids and the names of some resources. */
export async function readExisting(
  database: Database,
  resources: readonly Resource[],
): Promise<readonly Existing[]> {
  const live = resources.filter(({ deletedTime }) => deletedTime === null)
  const rows = await database.execute<ExistingRow>(READ_IMPORTED, [
    resources.map(({ id }) => id),
    live.map(({ tenant }) => tenant),
    live.map(({ kind }) => kind),
    live.map(({ ownerId }) => ownerId),
    live.map(({ name }) => name),
  ])
  return rows.map(existingOf)
}

/** Converts a row to the model. */
export function existingOf(row: ExistingRow): Existing {
  return {
    resource: resourceOf(row),
    records: (row.records ?? []).map((record) => versionedStatusOf(record).status),
  }
}
