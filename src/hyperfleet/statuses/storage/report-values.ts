import type { StatusRecord } from '../../../store/model/status-record.ts'
import { conditionType } from '../conditions/condition-type.ts'

/** The parameters $1 to $12 of the statements that write one report. */
export function reportValues(resourceId: string, status: StatusRecord): readonly unknown[] {
  return [
    resourceId,
    status.adapter,
    status.observedGeneration,
    JSON.stringify(status.conditions),
    status.available && JSON.stringify(status.available),
    JSON.stringify(status.data),
    status.metadata && JSON.stringify(status.metadata),
    status.createdTime,
    status.lastReportTime,
    status.observedTime,
    status.finalized,
    conditionType(status.adapter),
  ]
}
