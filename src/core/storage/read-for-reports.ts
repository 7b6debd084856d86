import type { Database } from './database.ts'
import { basisColumns, basisOf, type BasisRow, type ReportBasis } from './report-basis.ts'

const READ_FOR_REPORTS = {
  name: 'read_for_reports',
  text: `
    select ${basisColumns('adapter = any($2::text[])')}
    from resources
    where id = any($1::text[])`,
}

/** Reads resources with the state of all their adapters, for reports of these; by id. */
export async function readForReports(
  database: Database,
  ids: readonly string[],
  adapters: readonly string[],
): Promise<ReadonlyMap<string, ReportBasis>> {
  const rows = await database.execute<BasisRow>(READ_FOR_REPORTS, [ids, adapters])
  return new Map(rows.map((row) => [row.id, basisOf(row)]))
}
