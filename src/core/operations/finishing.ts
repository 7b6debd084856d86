import type { AdapterState } from '../model/report.ts'
import type { ReportedResource } from '../model/resource.ts'
import type { Registry } from '../registry/registry.ts'
import { isFinalized } from '../../statuses/conditions/is-finalized.ts'
import type { Database } from '../storage/database/database.ts'
import { readAncestors } from '../storage/resources/read-ancestors.ts'
import type { Ancestor } from '../storage/resources/remove-resources.ts'
import type { ResourceWithReports } from '../storage/resources/resource-with-reports.ts'

/** Whether all adapters are done with a resource: it goes as soon as it has no child. */
export function isFinished(
  registry: Registry,
  resource: ReportedResource,
  reports: readonly AdapterState[],
): boolean {
  const { kind, generation, deletedTime } = resource
  const required = registry.byName(kind).requiredAdapters
  return deletedTime !== null && isFinalized({ required, generation, reports })
}

/** The ancestors whose end depends on their last child, the nearest first; the last may be live. */
export async function ancestorsOf(
  { database, registry }: { readonly database: Database; readonly registry: Registry },
  id: string,
): Promise<readonly Ancestor[]> {
  const line = await readAncestors(database, id)
  return line.map(({ resource, states }: ResourceWithReports) => {
    return { resource, finished: isFinished(registry, resource, states) }
  })
}
