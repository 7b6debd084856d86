import { FlotillaError } from '../../lib/errors.ts'
import type { ResourceCondition } from '../model/condition.ts'
import type { AdapterState, AdapterStatus, Report } from '../model/report.ts'
import type { ReportedResource } from '../model/resource.ts'
import type { Registry } from '../registry/registry.ts'
import { type DiscardReason, judgeReport } from '../status/judge-report.ts'
import type { Profile } from '../status/report-case.ts'
import { sameConditions } from '../status/same-conditions.ts'
import type { ReportBasis, StoredReport } from '../storage/report-basis.ts'
import { conditionsOf } from './conditions-of.ts'
import { isFinished } from './finishing.ts'

const MAX_ADAPTERS = 100

/** A report as an adapter sent it. */
export interface ReportRequest {
  readonly report: Report
  /** How strict the report is judged. */
  readonly profile: Profile
}

/** What a report comes to, before it is written. */
export interface ReportDecision {
  readonly status: AdapterStatus
  /** The adapter's row as it was read; null before its first report. */
  readonly stored: StoredReport | null
  readonly conditions: readonly ResourceCondition[]
  /** Whether the resource changes with it: all but a heartbeat, which touches only its own row. */
  readonly changes: boolean
  /** Whether all adapters are done with a resource that is being deleted. */
  readonly finished: boolean
}

/** Decides about one report; throws what its sender is to be told. */
export function decideReport(
  registry: Registry,
  { resource, states }: ReportBasis,
  { report, profile }: ReportRequest,
  now: Date,
): { readonly discard: DiscardReason } | ReportDecision {
  const stored = states.find(({ adapter }) => adapter === report.adapter) ?? null
  const { generation } = resource
  const deleting = resource.deletedTime !== null
  const verdict = judgeReport({ report, stored, generation, deleting, profile, now })
  if ('discard' in verdict) return { discard: verdict.discard }
  if (stored === null && states.length >= MAX_ADAPTERS) throw tooManyAdapters(resource)
  const status = verdict.store
  const reports = [...states.filter(({ adapter }) => adapter !== status.adapter), status]
  const conditions = verdict.recompute
    ? conditionsOf(registry, resource, { reports, cause: 'report', now })
    : resource.conditions
  const isHeartbeat =
    stored !== null &&
    sameConditions(resource.conditions, conditions) &&
    finalizes(resource, stored) === finalizes(resource, status)
  const finished = isFinished(registry, resource, reports)
  return { status, stored, conditions, changes: !isHeartbeat, finished }
}

/** What an adapter contributes to the end of a resource: whoever decides that compares versions. */
function finalizes({ generation }: ReportedResource, state: AdapterState): boolean {
  return state.finalized && state.observedGeneration === generation
}

function tooManyAdapters({ kind, id }: ReportedResource): FlotillaError {
  return new FlotillaError(
    'CNF-003',
    `${kind} with id='${id}' has reports of ${MAX_ADAPTERS} adapters, which is the most it takes`,
  )
}
