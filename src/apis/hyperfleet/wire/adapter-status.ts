import type { JsonObject } from '../../../lib/json/json.ts'
import type { AdapterStatus } from '../../../core/model/report.ts'

/** An adapter's report as it goes over the wire. */
export function serializeAdapterStatus(status: AdapterStatus): JsonObject {
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
