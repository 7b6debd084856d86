import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
import { numberOf, objectsOf, optionalText, textOf } from '../lib/json/json-fields.ts'
import { canonicalInstant, isInstant } from '../lib/instant.ts'
import { preciseDateOf } from '../lib/precise-date.ts'
import type {
  StatusRecord,
  StoredAvailable,
  StoredCondition,
} from '../store/model/status-record.ts'
import { conditionStatus } from './imported-conditions.ts'

/**
 * The stored form of a report. The source does not store the adapter's time of it, so that the time of the
 * last report stands for it.
 */
export function importedReport(report: JsonObject, isDeleting: boolean): StatusRecord {
  const observedGeneration = numberOf(report['observed_generation'])
  const conditions = objectsOf(report['conditions']).flatMap(storedCondition)
  const lastReportTime = preciseDateOf(textOf(report['last_report_time']))
  return {
    adapter: textOf(report['adapter']),
    observedGeneration,
    conditions,
    available: availableOf(conditions, observedGeneration),
    data: objectOrNull(report['data']) ?? {},
    metadata: objectOrNull(report['metadata']),
    createdTime: preciseDateOf(textOf(report['created_time'])),
    lastReportTime,
    observedTime: lastReportTime,
    finalized:
      isDeleting &&
      conditions.some(({ type, status }) => type === 'Finalized' && status === 'True'),
  }
}

function objectOrNull(value: JsonValue | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null
}

function storedCondition(condition: JsonObject): readonly StoredCondition[] {
  const status = conditionStatus(condition)
  const time = textOf(condition['last_transition_time'])
  if (status === null || !isInstant(time)) return []
  const reason = optionalText(condition['reason'])
  const message = optionalText(condition['message'])
  return [
    {
      type: textOf(condition['type']),
      status,
      ...(reason !== null && { reason }),
      ...(message !== null && { message }),
      last_transition_time: canonicalInstant(time),
    },
  ]
}

function availableOf(
  conditions: readonly StoredCondition[],
  generation: number,
): StoredAvailable | null {
  const found = conditions.find(({ type }) => type === 'Available')
  if (found === undefined || found.status === 'Unknown') return null
  const { type: _, status, ...rest } = found
  return { status, ...rest, observed_generation: generation }
}
