import type { Resource } from '../model/resource.ts'
import type { RegisteredKind } from '../registry/kind.ts'
import { reflectTimes, type ReportTime } from '../../statuses/conditions/reflect-times.ts'

/** The resource as GET and lists show it: with the exact times of its reports. */
export function showExactTimes(
  kind: RegisteredKind,
  resource: Resource,
  reportTimes: readonly ReportTime[],
): Resource {
  if (reportTimes.length === 0) return resource
  const { conditions, generation } = resource
  return {
    ...resource,
    conditions: reflectTimes(conditions, kind.requiredAdapters, generation, reportTimes),
  }
}
