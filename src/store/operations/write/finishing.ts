import type { StatusSummary } from '../../model/status-record.ts'
import type { ReportedResource } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Database } from '../../database/database.ts'
import { readAncestors } from '../../resources/read-ancestors.ts'
import type { Ancestor } from '../../resources/delete/remove-resources.ts'
import type { ResourceWithReports } from '../../resources/resource-with-reports.ts'

/** Whether the status records allow the removal of a deleted resource. */
export function isFinalized(
  { statusHooks }: RegisteredKind,
  resource: Pick<ReportedResource, 'generation' | 'requiredAdapters' | 'deletedTime'>,
  records: readonly StatusSummary[],
): boolean {
  return statusHooks === undefined || statusHooks.isFinalized(resource, records)
}

/** Whether no status record keeps a deleted resource: it is removed as soon as it has no child. */
export function isFinished(
  registry: Registry,
  resource: ReportedResource,
  reports: readonly StatusSummary[],
): boolean {
  const { kind, deletedTime } = resource
  return deletedTime !== null && isFinalized(registry.byName(kind), resource, reports)
}

/**
 * The deleted ancestors, nearest first, that may be removed with their last child. The last one may
 * be live.
 */
export async function ancestorsOf(
  { database, registry }: { readonly database: Database; readonly registry: Registry },
  id: string,
): Promise<readonly Ancestor[]> {
  const line = await readAncestors(database, id)
  return line.map(({ resource, states }: ResourceWithReports) => {
    return { resource, finished: isFinished(registry, resource, states) }
  })
}
