import type { Database } from '../../../store/database/database.ts'
import { inputColumns, inputsOf, type ReportInputs, type ReportInputsRow } from './report-inputs.ts'

/** Keeps its plan, as `read_resources` does. */
const READ_FOR_REPORTS = {
  name: 'read_for_reports',
  text: `
    select ${inputColumns('adapter = any($2::text[])')}
    from unnest((select $1::text[])) as wanted (wanted_id)
    cross join lateral (
      select * from resources where resources.id = wanted_id limit 1
    ) as resources`,
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
