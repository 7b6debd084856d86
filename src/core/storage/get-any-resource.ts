import type { Resource } from '../model/resource.ts'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from './database.ts'
import { REPORT_TIMES, reportTimesOf, type ReportTimesColumn } from './report-times.ts'
import { isStorableText } from './resource-key.ts'
import { RESOURCE_COLUMNS, resourceOf, type ResourceRow } from './resource-row.ts'

const GET_ANY_RESOURCE = {
  name: 'get_any_resource',
  text: `select ${RESOURCE_COLUMNS}, ${REPORT_TIMES} from resources where id = $1::text`,
}

/** A resource of any kind and the times of its reports; null where there is none. */
export async function getAnyResource(
  database: Database,
  id: string,
): Promise<{ resource: Resource; reportTimes: readonly ReportTime[] } | null> {
  if (!isStorableText(id)) return null
  const [row] = await database.execute<ResourceRow & { report_times: ReportTimesColumn }>(
    GET_ANY_RESOURCE,
    [id],
  )
  return row ? { resource: resourceOf(row), reportTimes: reportTimesOf(row.report_times) } : null
}
