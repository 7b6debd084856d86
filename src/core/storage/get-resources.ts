import type { Resource } from '../model/resource.ts'
import type { ReportTime } from '../status/reflect-times.ts'
import type { Database } from './database.ts'
import { getResource } from './get-resource.ts'
import { REPORT_TIMES, reportTimesOf, type ReportTimesColumn } from './report-times.ts'
import { isStorableKey, type ResourceKey } from './resource-key.ts'
import { RESOURCE_COLUMNS, resourceOf, type ResourceRow } from './resource-row.ts'

const GET_RESOURCES = {
  name: 'get_resources',
  text: `
    select ${RESOURCE_COLUMNS}, ${REPORT_TIMES}
    from resources
    where id = any($1::text[])`,
}

/** A resource and the times of its reports. */
export interface FoundResource {
  readonly resource: Resource
  readonly reportTimes: readonly ReportTime[]
}

/** Several at once, in the order of the keys; null where there is none. */
export async function getResources(
  database: Database,
  keys: readonly ResourceKey[],
): Promise<readonly (FoundResource | null)[]> {
  const [first, second] = keys
  // A look-up of one id is cheaper than one of a list with one id.
  if (first && !second) return [await getResource(database, first)]
  const ids = [...new Set(keys.filter(isStorableKey).map(({ id }) => id))]
  const rows = await database.execute<ResourceRow & { report_times: ReportTimesColumn }>(
    GET_RESOURCES,
    [ids],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return keys.map(({ id, kind, ownerId }) => {
    const row = byId.get(id)
    if (row?.kind !== kind || (ownerId ?? row.owner_id) !== row.owner_id) return null
    return { resource: resourceOf(row), reportTimes: reportTimesOf(row.report_times) }
  })
}
