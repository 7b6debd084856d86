import { must } from '../../lib/assert.ts'
import type { ResourceCondition } from '../model/condition.ts'
import type { AdapterState } from '../model/report.ts'
import type { Kind } from '../registry/kind.ts'
import { adapterConditions } from './adapter-conditions.ts'
import { availableCondition } from './available-condition.ts'
import { type Cause, readyCondition } from './ready-condition.ts'
import { reflectTimes } from './reflect-times.ts'

export interface Synthesis {
  readonly kind: Pick<Kind, 'messages'>
  readonly required: readonly string[]
  /** The resource's generation, after the spec change if that is the cause. */
  readonly generation: number
  /** The resource's conditions as stored. */
  readonly previous: readonly ResourceCondition[]
  /** Every adapter's row of the resource, with the report that is being stored. */
  readonly reports: readonly AdapterState[]
  readonly cause: Cause
  readonly now: Date
}

/**
 * The conditions of a resource after a stored report that carries Available True or False, or after
 * a spec change: Available, Ready, then `<Adapter>Successful` sorted by type.
 */
export function synthesize(input: Synthesis): readonly ResourceCondition[] {
  const { kind, required, generation, previous, reports, cause, now } = input
  const stored = new Map(reports.map((report) => [report.adapter, report]))
  const requirements = required.map((adapter) => {
    return { adapter, available: stored.get(adapter)?.available ?? null }
  })
  const aggregate = { requirements, generation, now }
  const conditions = [
    availableCondition({
      ...aggregate,
      previous: find(previous, 'Available'),
      message: kind.messages.available,
    }),
    readyCondition({
      ...aggregate,
      previous: find(previous, 'Ready'),
      message: kind.messages.ready,
      cause,
    }),
    ...adapterConditions(required, reports),
  ]
  return reflectTimes(conditions, required, generation, reports.map(reportTime))
}

function find(conditions: readonly ResourceCondition[], type: string): ResourceCondition {
  return must(
    conditions.find((condition) => condition.type === type),
    `condition ${type}`,
  )
}

function reportTime({ adapter, available, lastReportTime }: AdapterState) {
  return { adapter, availableGeneration: available?.observed_generation ?? null, lastReportTime }
}
