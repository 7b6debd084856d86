import type { JsonObject } from '../../lib/json/json.ts'
import type { StoredReportFields } from '../statuses/operations/report-outcome.ts'

/** An adapter's report in JSON. */
export function serializeAdapterStatus(status: StoredReportFields): JsonObject {
  return {
    adapter: status.adapter,
    observed_generation: status.observedGeneration,
    conditions: status.conditions.map((condition) => ({ ...condition })),
    data: status.data,
    ...(status.metadata && { metadata: status.metadata }),
    created_time: status.createdTime.toISOString(),
    last_report_time: status.lastReportTime.toISOString(),
  }
}
