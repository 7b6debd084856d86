import type { StatusRecord } from '../../model/status-record.ts'
import { statusRecordOf } from '../status-records/status-record-of.ts'
import type { Database } from '../database/database.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { resourceOfRecord } from './resource-row.ts'
import type { ResourceWithReports } from './resource-with-reports.ts'

/** A resource with the complete reports of its adapters. */
export interface ResourceWithStatuses extends ResourceWithReports {
  readonly states: readonly StatusRecord[]
}

/** Reads a resource with its reports, or returns null. */
export async function readForUpdate(
  database: Database,
  key: ResourceKey,
): Promise<ResourceWithStatuses | null> {
  if (!isStorableKey(key)) return null
  const record = await database.withPrisma('read_for_update', (prisma) =>
    prisma.resource.findFirst({
      where: key,
      include: { statuses: true },
    }),
  )
  if (!record) return null
  const { statuses, ...resource } = record
  return { resource: resourceOfRecord(resource), states: statuses.map(statusRecordOf) }
}
