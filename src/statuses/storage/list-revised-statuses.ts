import type { AdapterStatus } from '../../core/model/report.ts'
import { adapterStatusOf } from './adapter-status-record.ts'
import type { Database } from '../../core/storage/database/database.ts'

/** A report and its revision, which changes of it are told apart by. */
export interface RevisedStatus {
  readonly status: AdapterStatus
  readonly revision: bigint
}

/** All reports of a resource by adapter with their revisions, at most 100. */
export async function listRevisedStatuses(
  database: Database,
  resourceId: string,
): Promise<readonly RevisedStatus[]> {
  const records = await database.withPrisma('list_revised_statuses', (prisma) =>
    prisma.adapterStatus.findMany({ where: { resourceId }, orderBy: { adapter: 'asc' } }),
  )
  return records.map((record) => ({
    status: adapterStatusOf(record),
    revision: BigInt(record.rowVersion),
  }))
}
