import { notFound } from '../../lib/errors.ts'
import type { AdapterStatus } from '../model/report.ts'
import type { Registry } from '../registry/registry.ts'
import type { ReportBasis } from '../storage/report-basis.ts'
import { type ConditionsWrite, type ReportRow, rowKey } from '../storage/write-reports.ts'
import { decideReport, type ReportDecision, type ReportRequest } from './decide-report.ts'
import type { Target } from './read-resource.ts'
import type { ReportOutcome } from './report-outcome.ts'

/** A report of a batch. */
export interface BatchEntry {
  readonly target: Target
  readonly request: ReportRequest
}

/** What becomes of one report of a batch. */
export type Fate =
  | { readonly type: 'settled'; readonly outcome: ReportOutcome }
  | { readonly type: 'failed'; readonly error: unknown }
  /** The resource is being deleted: its end may have to come with the report. */
  | { readonly type: 'alone' }
  /** To be answered once its row is written. */
  | { readonly type: 'stored'; readonly status: AdapterStatus; readonly row: string }

export interface Fold {
  /** By the order of the entries. */
  readonly fates: readonly Fate[]
  readonly changing: readonly ConditionsWrite[]
  readonly rows: readonly ReportRow[]
}

/** A resource and what the batch has made of it so far. */
interface Folding {
  /** As it was read. */
  readonly read: ReportBasis
  current: ReportBasis
  changes: boolean
  /** The latest report of each adapter of the batch, and how many there were. */
  readonly rows: Map<string, Pick<ReportRow, 'status' | 'revision' | 'count'>>
}

/**
 * Decides about a batch of reports, each on what those before it have left: what is written in the
 * end is what they would have left one after the other. `bases` are the resources, by id.
 */
export function foldReports(
  registry: Registry,
  bases: ReadonlyMap<string, ReportBasis>,
  entries: readonly BatchEntry[],
  now: Date,
): Fold {
  const foldings = new Map<string, Folding>()
  for (const [id, read] of bases) {
    foldings.set(id, { read, current: read, changes: false, rows: new Map() })
  }
  const fates = entries.map((entry) => fateOf(registry, foldings.get(entry.target.id), entry, now))
  const touched = [...foldings.values()].filter(({ rows }) => rows.size > 0)
  return {
    fates,
    changing: touched
      .filter(({ changes }) => changes)
      .map(({ read, current }) => {
        return { resource: read.resource, conditions: current.resource.conditions }
      }),
    rows: touched.flatMap(rowsOf),
  }
}

function fateOf(
  registry: Registry,
  folding: Folding | undefined,
  { target, request }: BatchEntry,
  now: Date,
): Fate {
  const { kind, id, ownerId } = target
  const resource = folding?.current.resource
  if (
    !folding ||
    resource?.kind !== kind.kind ||
    (ownerId ?? resource.ownerId) !== resource.ownerId
  ) {
    return { type: 'failed', error: notFound(kind.kind, id) }
  }
  if (resource.deletedTime !== null) return { type: 'alone' }
  try {
    const decision = decideReport(registry, folding.current, request, now)
    if ('discard' in decision) {
      return { type: 'settled', outcome: { discarded: decision.discard } }
    }
    note(folding, decision)
    const { status } = decision
    return { type: 'stored', status, row: rowKey(id, status.adapter) }
  } catch (error) {
    return { type: 'failed', error }
  }
}

function note(folding: Folding, { status, stored, conditions, changes }: ReportDecision): void {
  const { resource, states } = folding.current
  const { adapter } = status
  const revision = stored?.revision ?? 0
  const others = states.filter((state) => state.adapter !== adapter)
  folding.current = {
    resource: { ...resource, conditions },
    states: [...others, { ...status, revision }],
  }
  folding.changes ||= changes
  const count = (folding.rows.get(adapter)?.count ?? 0) + 1
  folding.rows.set(adapter, { status, revision, count })
}

function rowsOf({ read, changes, rows }: Folding): readonly ReportRow[] {
  return [...rows.values()].map((row) => ({ ...row, resourceId: read.resource.id, changes }))
}
