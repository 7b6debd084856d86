import type { Database } from '../../../store/database/database.ts'
import { inputColumns, inputsOf, type ReportInputsRow, type ReportInputs } from './report-inputs.ts'
import { isStorableKey, type ResourceKey } from '../../../store/resources/resource-key.ts'

const READ_FOR_REPORT = {
  name: 'read_for_report',
  text: `
    select ${inputColumns('adapter = $4::text')}
    from resources
    where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)
      and ($5::text is null or tenant = $5::text)`,
}

/** Reads a resource with all reports on it, or null. */
export async function readForReport(
  database: Database,
  key: ResourceKey,
  adapter: string,
): Promise<ReportInputs | null> {
  if (!isStorableKey(key)) return null
  const values = [key.id, key.kind, key.ownerId ?? null, adapter, key.tenant ?? null]
  const [row] = await database.execute<ReportInputsRow>(READ_FOR_REPORT, values)
  return row ? inputsOf(row) : null
}
