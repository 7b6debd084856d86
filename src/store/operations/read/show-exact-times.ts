import type { Resource } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { ReportTime } from '../../model/status-record.ts'

/** The resource with the exact times of its reports, which GET and lists return. */
export function showExactTimes(
  kind: RegisteredKind,
  resource: Resource,
  reportTimes: readonly ReportTime[],
): Resource {
  const { statusHooks } = kind
  if (reportTimes.length === 0 || statusHooks === undefined) return resource
  return { ...resource, conditions: statusHooks.withReportTimes(resource, reportTimes) }
}
