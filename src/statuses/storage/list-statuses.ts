import type { StatusRecord } from '../../core/model/status-record.ts'
import { statusRecordOf } from '../../core/storage/status-records/status-record-of.ts'
import type { Database } from '../../core/storage/database/database.ts'
import { isStorableKey, type ResourceKey } from '../../core/storage/resources/resource-key.ts'

/** All reports on a resource by adapter, at most 100; null if the resource does not exist. */
export async function listStatuses(
  database: Database,
  key: ResourceKey,
): Promise<readonly StatusRecord[] | null> {
  if (!isStorableKey(key)) return null
  const record = await database.withPrisma('list_statuses', (prisma) =>
    prisma.resource.findFirst({
      where: key,
      select: { statuses: { orderBy: { adapter: 'asc' } } },
    }),
  )
  return record?.statuses.map(statusRecordOf) ?? null
}
