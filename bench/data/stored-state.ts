import type { Kind } from '../../src/store/registry/kind.ts'
import type { StatusRecord } from '../../src/store/model/status-record.ts'
import { conditionType } from '../../src/hyperfleet/statuses/conditions/condition-type.ts'
import { initialConditions } from '../../src/hyperfleet/statuses/conditions/synthesis/initial-conditions.ts'
import { validateReport } from '../../src/hyperfleet/statuses/validation/validate-report.ts'
import { synthesize } from '../../src/hyperfleet/statuses/conditions/synthesis/synthesize.ts'
import { conditionMap } from '../../src/store/resources/resource-row.ts'
import { reportBody } from './report-body.ts'

/** The stored state of a resource and its reports after all of its adapters have reported. */
export interface StoredState {
  readonly version: number
  readonly conditions: object
  readonly cond: object
  readonly statuses: readonly object[]
}

const CREATED = new Date('2026-01-01T00:00:00.000Z')
const REPORTED = new Date('2026-01-20T00:00:00.000Z')

/** Computes the state with the server's own functions, so that a heartbeat changes only times. */
export function storedState(
  kind: Kind,
  statuses: ReadonlyMap<string, 'True' | 'False'>,
): StoredState {
  const reports = [...statuses].map(([adapter, status]) => sampleStatus(adapter, status))
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

/** The row that the server stores for an adapter's first report. */
export function sampleStatus(adapter: string, status: 'True' | 'False' = 'True'): StatusRecord {
  const body = reportBody({ adapter, status, observedTime: REPORTED.toISOString() })
  const outcome = validateReport({
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
  if ('discard' in outcome) throw new Error(`a seeded report is discarded: ${outcome.discard}`)
  return outcome.store
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
