import type { Database } from '../../../store/database/database.ts'
import { inputColumns, inputsOf, type ReportInputs, type ReportInputsRow } from './report-inputs.ts'

const READ_FOR_REPORTS = {
  name: 'read_for_reports',
  text: `
    select ${inputColumns('adapter = any($2::text[])')}
    from unnest($1::text[]) as wanted (wanted_id)
    join resources on id = wanted_id`,
}

/**
 * Reads resources with all reports on them, by id. The ids must be distinct; `adapters` are those
 * that report.
 */
export async function readForReports(
  database: Database,
  ids: readonly string[],
  adapters: readonly string[],
): Promise<ReadonlyMap<string, ReportInputs>> {
  const rows = await database.execute<ReportInputsRow>(READ_FOR_REPORTS, [ids, adapters])
  return new Map(rows.map((row) => [row.id, inputsOf(row)]))
}
