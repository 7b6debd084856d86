import type { JsonObject } from '../../../lib/json/json.ts'
import type { Resource } from '../../../store/model/resource.ts'
import type { Database } from '../../../store/database/database.ts'
import { inputColumns, inputsOf, type ReportInputsRow, type ReportInputs } from './report-inputs.ts'
import { isStorableKey, type ResourceKey } from '../../../store/resources/resource-key.ts'

/** The fields of a resource and its reports that only expressions need. */
export interface MappedFields {
  readonly resource: Pick<Resource, 'name' | 'spec' | 'labels' | 'annotations' | 'createdTime'>
  /** The data of each report, by adapter. */
  readonly data: Readonly<Record<string, JsonObject>>
}

/** Inputs whose reports all have their conditions. */
export interface MappedInputs extends ReportInputs {
  readonly mapped: MappedFields
}

interface Row extends ReportInputsRow {
  readonly name: string
  readonly spec: JsonObject
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly created_time: Date
  readonly data: Readonly<Record<string, JsonObject>> | null
}

const READ_FOR_MAPPED_REPORT = {
  name: 'read_for_mapped_report',
  text: `
    select ${inputColumns('true')}, name, spec, labels, annotations, created_time,
      (
        select json_object_agg(adapter, data)
        from adapter_statuses where resource_id = resources.id
      ) as data
    from resources
    where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
      and ($4::text is null or tenant = $4::text)`,
}

/** Reads a resource of a kind with mapped conditions and all reports on it, or null. */
export async function readForMappedReport(
  database: Database,
  key: ResourceKey,
): Promise<MappedInputs | null> {
  if (!isStorableKey(key)) return null
  const values = [key.id, key.kind, key.ownerId ?? null, key.tenant ?? null]
  const [row] = await database.execute<Row>(READ_FOR_MAPPED_REPORT, values)
  if (!row) return null
  const { name, spec, labels, annotations, created_time: createdTime, data } = row
  const mapped = { resource: { name, spec, labels, annotations, createdTime }, data: data ?? {} }
  return { ...inputsOf(row), mapped }
}
