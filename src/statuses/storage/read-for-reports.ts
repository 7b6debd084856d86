import type { ResourceCondition } from '../../core/model/condition.ts'
import type { Database } from '../../core/storage/database/database.ts'
import { basisOf, type BasisRow, type PartialBasis, stateColumns } from './report-basis.ts'

const REPORTING = 'adapter = any($3::text[])'

const READ_FOR_REPORTS = {
  name: 'read_for_reports',
  text: `
    select id, tenant, kind, owner_id, generation, version, deleted_time,
      case when version is distinct from settled then conditions end as conditions,
      ${stateColumns(REPORTING, `(version is distinct from settled or ${REPORTING})`)} as states
    from unnest($1::text[], $2::bigint[]) as reader (wanted, settled)
    join resources on id = wanted`,
}

/** A resource to read for reports, and the version at which it is known to be settled, if any. */
export interface WantedBasis {
  readonly id: string
  readonly settled: bigint | null
}

type Row = BasisRow<readonly ResourceCondition[] | null>

/**
 * Reads resources, each id once, for reports of these adapters; by id. Of one at its settled
 * version comes only what a heartbeat is told by: most reports are heartbeats.
 */
export async function readForReports(
  database: Database,
  wanted: readonly WantedBasis[],
  adapters: readonly string[],
): Promise<ReadonlyMap<string, PartialBasis>> {
  const rows = await database.execute<Row>(READ_FOR_REPORTS, [
    wanted.map(({ id }) => id),
    wanted.map(({ settled }) => settled),
    adapters,
  ])
  return new Map(rows.map((row) => [row.id, basisOf(row)]))
}
