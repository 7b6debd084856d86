import type { Kind } from '../../src/core/registry/kind.ts'
import type { StatusRecord } from '../../src/core/model/status-record.ts'
import { conditionType } from '../../src/statuses/conditions/condition-type.ts'
import { initialConditions } from '../../src/statuses/conditions/initial-conditions.ts'
import { validateReport } from '../../src/statuses/conditions/validate-report.ts'
import { synthesize } from '../../src/statuses/conditions/synthesize.ts'
import { conditionMap } from '../../src/core/storage/resources/resource-row.ts'
import { reportBody } from './report-body.ts'

/** What the database holds of a resource and its reports once all its adapters have reported. */
export interface StoredState {
  readonly version: number
  readonly conditions: object
  readonly cond: object
  readonly statuses: readonly object[]
}

const CREATED = new Date('2026-01-01T00:00:00.000Z')
const REPORTED = new Date('2026-01-20T00:00:00.000Z')

/** As the server would have stored it, so that a heartbeat of the same verdicts changes nothing. */
export function storedState(
  kind: Kind,
  verdicts: ReadonlyMap<string, 'True' | 'False'>,
): StoredState {
  const reports = [...verdicts].map(([adapter, verdict]) => sampleStatus(adapter, verdict))
  const previous = initialConditions(CREATED)
  const conditions =
    reports.length === 0
      ? previous
      : synthesize({
          kind,
          required: kind.requiredAdapters,
          generation: 1,
          deleting: false,
          previous,
          reports,
          cause: 'report',
          now: REPORTED,
        })
  return {
    version: 1 + reports.length,
    conditions,
    cond: conditionMap(conditions),
    statuses: reports.map(rowOf),
  }
}

/** What the server stores of an adapter's first report. */
export function sampleStatus(adapter: string, verdict: 'True' | 'False' = 'True'): StatusRecord {
  const body = reportBody({ adapter, verdict, observedTime: REPORTED.toISOString() })
  const judgement = validateReport({
    report: {
      adapter,
      observedGeneration: body.observed_generation,
      observedTime: body.observed_time,
      conditions: body.conditions,
      data: body.data,
      metadata: body.metadata,
    },
    profile: 'lenient',
    stored: null,
    generation: 1,
    deleting: false,
    now: REPORTED,
  })
  if ('discard' in judgement) throw new Error(`a seeded report is dropped: ${judgement.discard}`)
  return judgement.store
}

function rowOf(status: StatusRecord): object {
  return {
    adapter: status.adapter,
    observed_generation: status.observedGeneration,
    conditions: status.conditions,
    available: status.available,
    available_generation: status.available?.observed_generation,
    data: status.data,
    metadata: status.metadata,
    created_time: status.createdTime,
    last_report_time: status.lastReportTime,
    observed_time: status.observedTime,
    finalized: status.finalized,
    condition_type: conditionType(status.adapter),
  }
}
