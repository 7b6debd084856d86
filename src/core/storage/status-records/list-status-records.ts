import type { StatusRecord } from '../../model/status-record.ts'
import { statusRecordOf } from './status-record-of.ts'
import type { Database } from '../database/database.ts'

/** A report and its revision, which changes of it are told apart by. */
export interface RevisedStatus {
  readonly status: StatusRecord
  readonly revision: bigint
}

/** All reports of a resource by adapter with their revisions, at most 100. */
export async function listStatusRecords(
  database: Database,
  resourceId: string,
): Promise<readonly RevisedStatus[]> {
  const records = await database.withPrisma('list_revised_statuses', (prisma) =>
    prisma.adapterStatus.findMany({ where: { resourceId }, orderBy: { adapter: 'asc' } }),
  )
  return records.map((record) => ({
    status: statusRecordOf(record),
    revision: BigInt(record.rowVersion),
  }))
}
