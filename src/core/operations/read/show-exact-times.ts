import type { Resource } from '../../model/resource.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { ReportTime } from '../../model/status-record.ts'

/** The resource as GET and lists show it: with the exact times of its reports. */
export function showExactTimes(
  kind: RegisteredKind,
  resource: Resource,
  reportTimes: readonly ReportTime[],
): Resource {
  const { statusHooks } = kind
  if (reportTimes.length === 0 || statusHooks === undefined) return resource
  return { ...resource, conditions: statusHooks.withReportTimes(resource, reportTimes) }
}
