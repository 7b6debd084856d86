import type { StatusRecord } from '../../model/status-record.ts'
import { statusRecordOf } from './status-record-of.ts'
import type { Database } from '../database/database.ts'

/** A report and its row version, which orders its changes. */
export interface VersionedStatus {
  readonly status: StatusRecord
  readonly rowVersion: bigint
}

/** Returns all reports of a resource with their row versions, ordered by adapter; at most 100. */
export async function listStatusRecords(
  database: Database,
  resourceId: string,
): Promise<readonly VersionedStatus[]> {
  const records = await database.withPrisma('list_status_records', (prisma) =>
    prisma.adapterStatus.findMany({ where: { resourceId }, orderBy: { adapter: 'asc' } }),
  )
  return records.map((record) => ({
    status: statusRecordOf(record),
    rowVersion: BigInt(record.rowVersion),
  }))
}
