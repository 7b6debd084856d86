import type { StatusRecord } from '../../model/status-record.ts'
import { outputJson } from '../database/prisma-json.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'

/** Converts Prisma's record to the model. */
export function statusRecordOf(record: Prisma.AdapterStatusGetPayload<object>): StatusRecord {
  return {
    adapter: record.adapter,
    observedGeneration: record.observedGeneration,
    available: outputJson(record.available),
    conditions: outputJson(record.conditions),
    data: outputJson(record.data),
    metadata: outputJson(record.metadata),
    finalized: record.finalized,
    observedTime: record.observedTime,
    createdTime: record.createdTime,
    lastReportTime: record.lastReportTime,
  }
}
