import type { ResourceCondition } from '../src/core/model/condition.ts'
import type { AdapterState, StoredCondition } from '../src/core/model/report.ts'
import { sameConditions } from '../src/core/status/same-conditions.ts'
import { synthesize } from '../src/core/status/synthesize.ts'
import { kinds } from '../src/kinds/index.ts'
import { must } from '../src/lib/assert.ts'

/** A resource as GET answers it, as far as its conditions depend on it. */
export interface ShownResource {
  readonly kind: string
  readonly generation: number
  readonly status: { readonly conditions: readonly ResourceCondition[] }
}

/** An adapter's report as the statuses list shows it; it must carry Available True or False. */
export interface ShownStatus {
  readonly adapter: string
  readonly observed_generation: number
  readonly conditions: readonly StoredCondition[]
  readonly created_time: string
  readonly last_report_time: string
}

/** Whether a fresh recomputation from these reports would leave the resource's conditions as they are. */
export function conditionsFollow(
  resource: ShownResource,
  statuses: readonly ShownStatus[],
  requiredAdapters?: readonly string[],
): boolean {
  const kind = must(
    kinds.find((known) => known.kind === resource.kind),
    resource.kind,
  )
  const recomputed = synthesize({
    kind,
    required: requiredAdapters ?? kind.requiredAdapters,
    generation: resource.generation,
    previous: resource.status.conditions,
    reports: statuses.map(stateOf),
    cause: 'report',
    now: new Date(),
  })
  return sameConditions(resource.status.conditions, recomputed)
}

function stateOf(status: ShownStatus): AdapterState {
  const available = must(
    status.conditions.find(({ type }) => type === 'Available'),
    `an Available condition of ${status.adapter}`,
  )
  if (available.status === 'Unknown') throw new Error(`${status.adapter} reported Unknown`)
  return {
    adapter: status.adapter,
    observedGeneration: status.observed_generation,
    available: {
      ...available,
      status: available.status,
      observed_generation: status.observed_generation,
    },
    createdTime: new Date(status.created_time),
    lastReportTime: new Date(status.last_report_time),
  }
}
