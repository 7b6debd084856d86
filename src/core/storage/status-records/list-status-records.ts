import type { StatusRecord } from '../../model/status-record.ts'
import { statusRecordOf } from './status-record-of.ts'
import type { Database } from '../database/database.ts'

/** A report and its revision, which changes of it are told apart by. */
export interface VersionedStatus {
  readonly status: StatusRecord
  readonly rowVersion: bigint
}

/** All reports of a resource by adapter with their revisions, at most 100. */
export async function listStatusRecords(
  database: Database,
  resourceId: string,
): Promise<readonly VersionedStatus[]> {
  const records = await database.withPrisma('list_revised_statuses', (prisma) =>
    prisma.adapterStatus.findMany({ where: { resourceId }, orderBy: { adapter: 'asc' } }),
  )
  return records.map((record) => ({
    status: statusRecordOf(record),
    rowVersion: BigInt(record.rowVersion),
  }))
}
