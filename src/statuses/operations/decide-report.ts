import { FlotillaError } from '../../lib/errors.ts'
import type { ResourceCondition } from '../../core/model/condition.ts'
import type { StatusSummary, StatusRecord } from '../../core/model/status-record.ts'
import type { SentReport } from '../model/report.ts'
import type { ReportedResource } from '../../core/model/resource.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { type DiscardReason, validateReport } from '../validation/validate-report.ts'
import { mappingVariables } from '../conditions/mapping/mapping-variables.ts'
import type { Profile } from '../validation/validation-input.ts'
import { sameAvailable } from '../conditions/same-report.ts'
import { sameConditions } from '../conditions/same-conditions.ts'
import type { MappedBasis } from '../storage/read-for-mapped-report.ts'
import type { PartialBasis, ReportBasis, StoredReport } from '../storage/report-basis.ts'
import { recomputeConditions } from '../conditions/synthesis/recompute-conditions.ts'
import { isFinished } from '../../core/operations/write/finishing.ts'

const MAX_ADAPTERS = 100

/** A report as an adapter sent it. */
export interface ReportRequest {
  readonly report: SentReport
  /** How strict the report is judged. */
  readonly profile: Profile
}

/** What a report comes to, before it is written. */
export interface ReportDecision {
  readonly status: StatusRecord
  /** The adapter's row as it was read; null before its first report. */
  readonly stored: StoredReport | null
  readonly conditions: readonly ResourceCondition[]
  /** Whether the resource changes with it: all but a heartbeat, which touches only its own row. */
  readonly changes: boolean
  /** Whether a live resource's conditions were found to follow from the reports as they are stored. */
  readonly settles: boolean
  /** Whether all adapters are done with a resource that is being deleted. */
  readonly finished: boolean
}

/** A report that changes nothing but its adapter's row. */
export interface Heartbeat {
  readonly status: StatusRecord
  /** The row as it was read. */
  readonly stored: StoredReport
}

/**
 * Decides about one report; throws what its sender is to be told. A mapped basis is for a kind with
 * mapped conditions: they are evaluated with every report that is stored, and never settle.
 */
export function decideReport(
  registry: Registry,
  basis: ReportBasis | MappedBasis,
  { report, profile }: ReportRequest,
  now: Date,
): { readonly discard: DiscardReason } | ReportDecision {
  const { resource, states } = basis
  const stored = states.find(({ adapter }) => adapter === report.adapter) ?? null
  const { generation } = resource
  const deleting = resource.deletedTime !== null
  const verdict = validateReport({ report, stored, generation, deleting, profile, now })
  if ('discard' in verdict) return { discard: verdict.discard }
  if (stored === null && states.length >= MAX_ADAPTERS) throw tooManyAdapters(resource)
  const status = verdict.store
  const reports = [...states.filter(({ adapter }) => adapter !== status.adapter), status]
  const variables = 'mapped' in basis ? variablesOf(basis, status) : null
  const conditions =
    verdict.recompute || variables !== null
      ? recomputeConditions(registry.byName(resource.kind), resource, {
          records: reports,
          variables,
          cause: 'report',
          now,
        })
      : resource.conditions
  const isHeartbeat =
    stored !== null &&
    sameConditions(resource.conditions, conditions) &&
    finalizes(resource, stored) === finalizes(resource, status)
  const finished = isFinished(registry, resource, reports)
  const settles =
    !deleting &&
    isHeartbeat &&
    verdict.recompute &&
    variables === null &&
    sameAvailable(stored, status)
  return { status, stored, conditions, changes: !isHeartbeat, settles, finished }
}

/** The variables of a mapping, with the report that is being stored. */
function variablesOf({ resource, states, mapped }: MappedBasis, status: StatusRecord) {
  const others = states
    .filter(({ adapter }) => adapter !== status.adapter)
    .map((state) => ({ ...state, data: mapped.data[state.adapter] ?? {} }))
  return mappingVariables({ ...resource, ...mapped.resource }, [...others, status])
}

/**
 * Decides about a report on a live resource whose conditions follow from its reports: one that says
 * what its adapter's row says leaves them as they are. Null where they may change.
 */
export function decideHeartbeat(
  { resource, states }: PartialBasis,
  { report, profile }: ReportRequest,
  now: Date,
): { readonly discard: DiscardReason } | Heartbeat | null {
  const stored = states.find(({ adapter }) => adapter === report.adapter)
  if (stored === undefined) return null
  const { generation } = resource
  const verdict = validateReport({ report, stored, generation, deleting: false, profile, now })
  if ('discard' in verdict) return { discard: verdict.discard }
  const { store: status, recompute } = verdict
  const same = !recompute || sameAvailable(stored, status)
  return same && finalizes(resource, stored) === finalizes(resource, status)
    ? { status, stored }
    : null
}

/** What an adapter contributes to the end of a resource: whoever decides that compares versions. */
function finalizes(
  { generation }: Pick<ReportedResource, 'generation'>,
  state: StatusSummary,
): boolean {
  return state.finalized && state.observedGeneration === generation
}

function tooManyAdapters({ kind, id }: ReportedResource): FlotillaError {
  return new FlotillaError(
    'state-conflict',
    `${kind} with id='${id}' has reports of ${MAX_ADAPTERS} adapters, which is the most it takes`,
  )
}
