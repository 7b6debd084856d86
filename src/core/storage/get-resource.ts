import type { Resource } from '../model/resource.ts'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from './database.ts'
import { REPORT_TIMES, reportTimesOf, type ReportTimesColumn } from './report-times.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { RESOURCE_COLUMNS, resourceOf, type ResourceRow } from './resource-row.ts'

const GET_RESOURCE = {
  name: 'get_resource',
  text: `
    select ${RESOURCE_COLUMNS}, ${REPORT_TIMES}
    from resources
    where id = $1::text and kind = $2::text and ($3::text is null or owner_id = $3::text)`,
}

/** A resource and the times of its reports; null where there is none. */
export async function getResource(
  database: Database,
  key: ResourceKey,
): Promise<{ resource: Resource; reportTimes: readonly ReportTime[] } | null> {
  if (!isStorableKey(key)) return null
  const rows = await database.execute<ResourceRow & { report_times: ReportTimesColumn }>(
    GET_RESOURCE,
    [key.id, key.kind, key.ownerId ?? null],
  )
  const row = rows[0]
  return row ? { resource: resourceOf(row), reportTimes: reportTimesOf(row.report_times) } : null
}
