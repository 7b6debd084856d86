import type { Context } from '../../../store/operations/context.ts'
import { timeBeside } from '../../../lib/precise-date.ts'
import { isTarget } from '../../../store/operations/read/read-resource.ts'
import { rowKey } from '../../../store/resources/row-key.ts'
import { refreshReports, type UnchangedReport } from '../storage/refresh-reports.ts'
import { strictViolations } from '../validation/strict-violations.ts'
import { completeReport } from '../validation/validate-report.ts'
import { hasLease } from './decide-report.ts'
import type { BatchEntry } from './plan-batch.ts'
import type { StoredOutcome } from './report-outcome.ts'
import type { SyncedResource, SyncedVersions } from './synced-versions.ts'

/**
 * Stores the reports of a batch that repeat their adapter's stored report, as most heartbeats do,
 * in one statement and without a read. An equal report at a synced version leaves the conditions of
 * its resource unchanged, so no rule is evaluated. Returns null for every other report, in the order
 * of the entries.
 */
export async function refreshUnchanged(
  { database, clock, feed }: Context,
  entries: readonly BatchEntry[],
  synced: SyncedVersions,
): Promise<readonly (StoredOutcome | null)[]> {
  const now = clock()
  const candidates = entries.map((entry) => {
    const resource = synced.get(entry.target.id)
    const report = resource && candidateOf(resource, entry, now)
    return report && { report, resource }
  })
  const reports = onePerRow(candidates.flatMap((candidate) => candidate?.report ?? []))
  if (reports.length === 0) return entries.map(() => null)
  const refreshed = await refreshReports(database, reports)
  feed.sequencer.notifyPossibleWrite()
  return candidates.map((candidate) => {
    const row = candidate && refreshed.get(keyOf(candidate.report))
    if (!row) return null
    const { report, resource } = candidate
    const { tenant, requiredAdapters } = resource
    const { adapter, observedGeneration, data, metadata, lastReportTime } = report
    const { conditions, createdTime } = row
    const fields = { adapter, observedGeneration, conditions, data, metadata }
    return {
      stored: { ...fields, createdTime, lastReportTime },
      latencyMs: null,
      resource: { tenant, requiredAdapters, deletedTime: null },
    }
  })
}

/** The report in the form to compare, or null if it cannot be a repetition. */
function candidateOf(
  resource: SyncedResource,
  { target, request }: BatchEntry,
  now: Date,
): UnchangedReport | null {
  if (!isTarget(target, resource) || hasLease(request)) return null
  const isStrict = request.profile === 'strict'
  const report = completeReport(request.report, now)
  if (isStrict && report.observedGeneration > resource.generation) return null
  if (isStrict && strictViolations(report, now).length > 0) return null
  const types = new Set(report.conditions.map(({ type }) => type))
  if (types.size < report.conditions.length) return null
  const isUnknown = ({ type, status }: { type: string; status: string }): boolean =>
    type === 'Available' && status === 'Unknown'
  if (report.conditions.some(isUnknown)) return null
  return {
    resourceId: resource.id,
    adapter: report.adapter,
    version: resource.version,
    observedGeneration: report.observedGeneration,
    conditions: report.conditions,
    data: report.data,
    metadata: report.metadata,
    lastReportTime: now,
    observedTime: timeBeside(now, report.observedTime),
    isOrdered: isStrict && request.report.observedTime !== null,
  }
}

/** The reports whose row occurs once in the batch: a statement updates each row only once. */
function onePerRow(reports: readonly UnchangedReport[]): readonly UnchangedReport[] {
  const counts = new Map<string, number>()
  for (const report of reports) counts.set(keyOf(report), (counts.get(keyOf(report)) ?? 0) + 1)
  return reports.filter((report) => counts.get(keyOf(report)) === 1)
}

function keyOf({ resourceId, adapter }: UnchangedReport): string {
  return rowKey(resourceId, adapter)
}
