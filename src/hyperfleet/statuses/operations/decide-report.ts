import { FlotillaError } from '../../../lib/errors.ts'
import type { ResourceCondition } from '../../../store/model/condition.ts'
import type { ReportedResource } from '../../../store/model/resource.ts'
import type { StatusRecord, StatusSummary } from '../../../store/model/status-record.ts'
import { isFinished } from '../../../store/operations/write/finishing.ts'
import type { Registry } from '../../../store/registry/registry.ts'
import { mappingVariables } from '../conditions/mapping/mapping-variables.ts'
import { isFinalizedAt } from '../conditions/is-finalized.ts'
import { sameConditions } from '../conditions/same-conditions.ts'
import { recomputeConditions } from '../conditions/synthesis/recompute-conditions.ts'
import type { SentReport } from '../model/report.ts'
import type { MappedInputs } from '../storage/read-for-mapped-report.ts'
import type { ReportInputs, StoredReport } from '../storage/report-inputs.ts'
import type { CompletedLease } from '../storage/complete-lease.ts'
import { type DiscardReason, validateReport } from '../validation/validate-report.ts'
import type { Profile } from '../validation/validation-input.ts'

const MAX_ADAPTERS = 100

/** A report as an adapter sent it. */
export interface ReportRequest {
  readonly report: SentReport
  readonly profile: Profile
  /** The lease that the report completes. */
  readonly lease?: ReportLease | null
}

/** Whether the report completes a lease. */
export function hasLease({ lease }: ReportRequest): boolean {
  return (lease ?? null) !== null
}

export type ReportLease = Pick<CompletedLease, 'token' | 'againSeconds'>

/** The effects of a report that is to be stored. */
export interface ReportDecision {
  readonly status: StatusRecord
  /** The adapter's report as it was read; null before its first one. */
  readonly stored: StoredReport | null
  readonly conditions: readonly ResourceCondition[]
  /** False for a heartbeat, which writes only its own row. */
  readonly changesResource: boolean
  /** Whether the resource is live, and its stored conditions follow from its stored reports. */
  readonly isSynced: boolean
  /** Whether all adapters have finalized a resource that is being deleted. */
  readonly finished: boolean
  /** The time since the last change, if the report is the adapter's first one at its generation. */
  readonly latencyMs: number | null
}

/** When reports are decided, with the kinds of their resources. */
export interface Occasion {
  readonly registry: Registry
  readonly now: Date
}

/**
 * Decides about one report; throws if it is not valid. Mapped inputs belong to a kind with mapped
 * conditions, which every stored report evaluates.
 */
export function decideReport(
  { registry, now }: Occasion,
  inputs: ReportInputs | MappedInputs,
  { report, profile }: ReportRequest,
): { readonly discard: DiscardReason } | ReportDecision {
  const { resource, states } = inputs
  const stored = states.find(({ adapter }) => adapter === report.adapter) ?? null
  const { generation } = resource
  const deleting = resource.deletedTime !== null
  const validation = validateReport({ report, stored, generation, deleting, profile, now })
  if ('discard' in validation) return { discard: validation.discard }
  if (stored === null && states.length >= MAX_ADAPTERS) throw tooManyAdapters(resource)
  const { store: status, recompute } = validation
  const records = [...states.filter(({ adapter }) => adapter !== status.adapter), status]
  const variables = 'mapped' in inputs ? variablesOf(inputs, status) : null
  const kind = registry.byName(resource.kind)
  const conditions =
    recompute || variables !== null
      ? recomputeConditions(kind, resource, { records, variables, cause: 'report', now })
      : resource.conditions
  const isHeartbeat =
    stored !== null &&
    sameConditions(resource.conditions, conditions) &&
    isFinalizedAt(stored, generation) === isFinalizedAt(status, generation)
  return {
    status,
    stored,
    conditions,
    changesResource: !isHeartbeat,
    isSynced:
      !deleting && isHeartbeat && recompute && variables === null && sameAvailable(stored, status),
    finished: isFinished(registry, resource, records),
    latencyMs: latencyOf(inputs, status, stored),
  }
}

function latencyOf(
  { resource: { generation, deletedTime }, updatedTime }: ReportInputs,
  { observedGeneration, lastReportTime }: StatusRecord,
  stored: StoredReport | null,
): number | null {
  const isFirst = stored === null || stored.observedGeneration < generation
  if (observedGeneration !== generation || !isFirst) return null
  const changedTime = deletedTime ?? updatedTime
  return Math.max(0, lastReportTime.getTime() - changedTime.getTime())
}

/** The variables of a mapping, with the report that is to be stored. */
function variablesOf({ resource, states, mapped }: MappedInputs, status: StatusRecord) {
  const others = states
    .filter(({ adapter }) => adapter !== status.adapter)
    .map((state) => ({ ...state, data: mapped.data[state.adapter] ?? {} }))
  return mappingVariables({ ...resource, ...mapped.resource }, [...others, status])
}

/** Whether both reports lead to the same conditions of the resource. */
function sameAvailable(
  { available: a }: Pick<StatusSummary, 'available'>,
  { available: b }: Pick<StatusSummary, 'available'>,
): boolean {
  return (
    a?.status === b?.status &&
    a?.reason === b?.reason &&
    a?.message === b?.message &&
    a?.observed_generation === b?.observed_generation &&
    a?.last_transition_time === b?.last_transition_time
  )
}

function tooManyAdapters({ kind, id }: ReportedResource): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `${kind} with id='${id}' already has reports from ${MAX_ADAPTERS} adapters, the maximum`,
  )
}
