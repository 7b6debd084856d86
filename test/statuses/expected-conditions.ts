import { AGGREGATED_TYPES, type ResourceCondition } from '../../src/store/model/condition.ts'
import type { StatusSummary, StoredCondition } from '../../src/store/model/status-record.ts'
import { initialConditions } from '../../src/hyperfleet/statuses/conditions/synthesis/initial-conditions.ts'
import { sameConditions } from '../../src/hyperfleet/statuses/conditions/same-conditions.ts'
import { synthesize } from '../../src/hyperfleet/statuses/conditions/synthesis/synthesize.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { preciseDateOf } from '../../src/lib/precise-date.ts'
import { must } from '../../src/lib/assert.ts'

/** The fields of a resource in a response that its conditions depend on. */
export interface ShownResource {
  readonly kind: string
  readonly generation: number
  readonly deleted_time?: string
  readonly status: { readonly conditions: readonly ResourceCondition[] }
}

/** An adapter's report in the statuses list. It must have Available True or False. */
export interface ShownStatus {
  readonly adapter: string
  readonly observed_generation: number
  readonly conditions: readonly StoredCondition[]
  readonly created_time: string
  readonly last_report_time: string
}

/** Whether a recomputation from these reports would leave the resource's conditions unchanged. */
export function conditionsFollow(
  resource: ShownResource,
  statuses: readonly ShownStatus[],
  requiredAdapters?: readonly string[],
): boolean {
  const kind = must(
    kinds.find((known) => known.kind === resource.kind),
    resource.kind,
  )
  const shown = resource.status.conditions
  const unseen = unseenBeside(shown)
  const recomputed = synthesize({
    kind,
    required: requiredAdapters ?? kind.requiredAdapters,
    generation: resource.generation,
    deleting: resource.deleted_time !== undefined,
    previous: [...shown, ...unseen],
    reports: statuses.map(stateOf),
    cause: 'report',
    now: new Date(),
  })
  const unseenTypes = new Set(unseen.map(({ type }) => type))
  const comparable = recomputed.filter(({ type }) => !unseenTypes.has(type))
  return sameConditions(shown, comparable)
}

/** The aggregated conditions that the server's family hides, in any state. */
function unseenBeside(shown: readonly ResourceCondition[]): readonly ResourceCondition[] {
  const types = new Set(shown.map(({ type }) => type))
  const unseen = new Set<string>(AGGREGATED_TYPES.filter((type) => !types.has(type)))
  return initialConditions(new Date()).filter(({ type }) => unseen.has(type))
}

function stateOf(status: ShownStatus): StatusSummary {
  const conditions = new Map(status.conditions.map((condition) => [condition.type, condition]))
  const available = must(conditions.get('Available'), `an Available of ${status.adapter}`)
  if (available.status === 'Unknown') throw new Error(`${status.adapter} reported Unknown`)
  return {
    adapter: status.adapter,
    observedGeneration: status.observed_generation,
    available: {
      ...available,
      status: available.status,
      observed_generation: status.observed_generation,
    },
    finalized: conditions.get('Finalized')?.status === 'True',
    // No condition depends on the adapter's clock.
    observedTime: preciseDateOf(status.last_report_time),
    createdTime: preciseDateOf(status.created_time),
    lastReportTime: preciseDateOf(status.last_report_time),
  }
}
