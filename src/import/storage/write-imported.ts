import { conditionType } from '../../hyperfleet/statuses/conditions/condition-type.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import type { Database } from '../../store/database/database.ts'
import type { Resource } from '../../store/model/resource.ts'
import type { StatusRecord } from '../../store/model/status-record.ts'
import { MAX_ROWS_LENGTH } from '../../store/resources/insert/insert-resources.ts'
import { INSERTED_COLUMNS, newRow } from '../../store/resources/resource-row.ts'
import type { Imported } from '../imported-resource.ts'

const COLUMNS = [
  ...INSERTED_COLUMNS,
  { name: 'deleted_time', type: 'timestamptz' },
  { name: 'deleted_by', type: 'text' },
]
const NAMES = COLUMNS.map(({ name }) => name).join(', ')
const TYPES = COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')
const CHANGED = COLUMNS.filter(({ name }) => name !== 'id' && name !== 'version')
  .map(({ name }) => `${name} = imported.${name}`)
  .join(', ')

/** In the order of their names, as every batch of insertions, so that two of them do not deadlock. */
const IMPORT_RESOURCES = {
  name: 'import_resources',
  text: `
    insert into resources (${NAMES})
    select ${NAMES} from json_to_recordset($1::json) as imported (${TYPES})
    order by tenant, kind, owner_id, name
    on conflict do nothing
    returning id`,
}

/** A new version, so that caches and watches see the change. */
const REPLACE_IMPORTED = {
  name: 'replace_imported',
  text: `
    update resources set ${CHANGED}, version = resources.version + 1
    from json_to_recordset($1::json) as imported (${TYPES})
    where resources.id = imported.id
    returning resources.id`,
}

const STORED = [
  'observed_generation',
  'conditions',
  'available',
  'available_generation',
  'data',
  'metadata',
  'created_time',
  'last_report_time',
  'observed_time',
  'finalized',
  'condition_type',
].join(', ')

const IMPORT_REPORTS = {
  name: 'import_reports',
  text: `
    insert into adapter_statuses as old (resource_id, adapter, ${STORED}, revision)
    select resource_id, adapter, ${STORED}, 1
    from json_to_recordset($1::json) as report (
      resource_id text, adapter text, observed_generation integer, conditions json,
      available json, available_generation integer, data json, metadata json,
      created_time timestamptz, last_report_time timestamptz, observed_time timestamptz,
      finalized boolean, condition_type text)
    on conflict (resource_id, adapter) do update set
      (${STORED}, revision) = (
        ${STORED.split(', ')
          .map((name) => `excluded.${name}`)
          .join(', ')}, old.revision + 1)`,
}

/** Removes the reports of other adapters than the given ones. */
const REMOVE_REPORTS = {
  name: 'remove_imported_reports',
  text: `
    delete from adapter_statuses
    where resource_id = any($1::text[]) and (resource_id, adapter) not in (
      select * from unnest($2::text[], $3::text[]))`,
}

/** Inserts resources with their reports. Returns the ids of those that were free, as their names were. */
export async function insertImported(
  database: Database,
  imported: readonly Imported[],
): Promise<ReadonlySet<string>> {
  const inserted = new Set(await writeRows(database, IMPORT_RESOURCES, imported))
  await writeReports(
    database,
    imported.filter(({ resource }) => inserted.has(resource.id)),
  )
  return inserted
}

/** Replaces resources with their reports. */
export async function replaceImported(
  database: Database,
  imported: readonly Imported[],
): Promise<void> {
  if (imported.length === 0) return
  await writeRows(database, REPLACE_IMPORTED, imported)
  const keys = imported.flatMap(({ resource, records }) =>
    records.map(({ adapter }) => [resource.id, adapter] as const),
  )
  await database.execute(REMOVE_REPORTS, [
    imported.map(({ resource }) => resource.id),
    keys.map(([id]) => id),
    keys.map(([, adapter]) => adapter),
  ])
  await writeReports(database, imported)
}

async function writeRows(
  database: Database,
  statement: typeof IMPORT_RESOURCES,
  imported: readonly Imported[],
): Promise<readonly string[]> {
  const written: string[] = []
  for (const rows of rowsOf(imported.map(({ resource }) => resourceRow(resource)))) {
    const ids = await database.execute<{ id: string }>(statement, [rows])
    written.push(...ids.map(({ id }) => id))
  }
  return written
}

async function writeReports(database: Database, imported: readonly Imported[]): Promise<void> {
  const reports = imported.flatMap(({ resource, records }) =>
    records.map((record) => reportRow(resource.id, record)),
  )
  for (const rows of rowsOf(reports)) await database.execute(IMPORT_REPORTS, [rows])
}

/** JSON arrays of limited length. */
function rowsOf(rows: readonly object[]): readonly string[] {
  const texts = rows.map((row) => JSON.stringify(row))
  return chunksOf(texts, ({ length }) => length, MAX_ROWS_LENGTH).map(
    (chunk) => `[${chunk.join(',')}]`,
  )
}

function resourceRow(resource: Resource): object {
  const { deletedTime, deletedBy } = resource
  return { ...newRow(resource), deleted_time: deletedTime, deleted_by: deletedBy }
}

function reportRow(resourceId: string, record: StatusRecord): object {
  return {
    resource_id: resourceId,
    adapter: record.adapter,
    observed_generation: record.observedGeneration,
    conditions: record.conditions,
    available: record.available,
    available_generation: record.available?.observed_generation ?? null,
    data: record.data,
    metadata: record.metadata,
    created_time: record.createdTime,
    last_report_time: record.lastReportTime,
    observed_time: record.observedTime,
    finalized: record.finalized,
    condition_type: conditionType(record.adapter),
  }
}
