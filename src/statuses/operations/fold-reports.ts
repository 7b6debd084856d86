import { notFound } from '../../lib/errors.ts'
import type { StatusRecord } from '../../core/model/status-record.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { sameReport } from '../conditions/same-report.ts'
import { isWhole, type PartialBasis, type StoredReport } from '../storage/report-basis.ts'
import { rowKey } from '../../core/storage/resources/row-key.ts'
import type { ConditionsWrite, ReportRow } from '../storage/write-reports.ts'
import {
  decideHeartbeat,
  decideReport,
  type ReportDecision,
  type ReportRequest,
} from './decide-report.ts'
import type { SettledResource } from './known-reports.ts'
import { isTarget, type Target } from '../../core/operations/read/read-resource.ts'
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
  | { readonly type: 'stored'; readonly status: StatusRecord; readonly row: string }

export interface Fold {
  /** By the order of the entries. */
  readonly fates: readonly Fate[]
  readonly changing: readonly ConditionsWrite[]
  readonly rows: readonly ReportRow[]
  /** Resources whose basis was not enough: they are to be read whole, and the batch folded again. */
  readonly doubtful: readonly string[]
  /** Resources whose conditions follow from their reports, as they were read; by id. */
  readonly settled: ReadonlyMap<string, SettledResource>
}

/** A resource and what the batch has made of it so far. */
interface Folding {
  /** As it was read. */
  readonly read: PartialBasis
  current: PartialBasis
  changes: boolean
  isDoubtful: boolean
  settles: boolean
  /** The latest report of each adapter of the batch, and how many there were. */
  readonly rows: Map<string, Pick<ReportRow, 'status' | 'revision' | 'count'>>
}

/**
 * Decides about a batch of reports, each on what those before it have left: what is written in the
 * end is what they would have left one after the other. `bases` are the resources, by id.
 */
export function foldReports(
  registry: Registry,
  bases: ReadonlyMap<string, PartialBasis>,
  entries: readonly BatchEntry[],
  now: Date,
): Fold {
  const foldings = new Map<string, Folding>()
  for (const [id, read] of bases) foldings.set(id, foldingOf(read))
  const fates = entries.map((entry) => fateOf(registry, foldings.get(entry.target.id), entry, now))
  const touched = [...foldings.values()].filter(({ rows }) => rows.size > 0)
  return {
    fates,
    changing: touched.flatMap(changeOf),
    rows: touched.flatMap(rowsOf),
    doubtful: [...foldings].filter(([, { isDoubtful }]) => isDoubtful).map(([id]) => id),
    settled: new Map(
      touched.filter(isSettled).map(({ read: { resource } }) => [resource.id, resource]),
    ),
  }
}

function foldingOf(read: Folding['read']): Folding {
  const rows: Folding['rows'] = new Map()
  return { read, current: read, changes: false, settles: false, isDoubtful: false, rows }
}

function fateOf(
  registry: Registry,
  folding: Folding | undefined,
  { target, request }: BatchEntry,
  now: Date,
): Fate {
  const { kind, id } = target
  const resource = folding?.current.resource
  if (!folding || !resource || !isTarget(target, resource)) {
    return { type: 'failed', error: notFound(kind.kind, id) }
  }
  if (resource.deletedTime !== null) return { type: 'alone' }
  try {
    const decision = decide(registry, folding, request, now)
    // Of no account: the batch is folded again.
    if (decision === null) return { type: 'alone' }
    if ('discard' in decision) {
      return { type: 'settled', outcome: { discarded: decision.discard } }
    }
    const { status, stored } = decision
    const { adapter } = status
    const count = (folding.rows.get(adapter)?.count ?? 0) + 1
    folding.rows.set(adapter, { status, revision: stored?.revision ?? 0, count })
    return { type: 'stored', status, row: rowKey(id, adapter) }
  } catch (error) {
    return { type: 'failed', error }
  }
}

/** Decides about one report, and moves the folding on to what it leaves. */
function decide(
  registry: Registry,
  folding: Folding,
  request: ReportRequest,
  now: Date,
): ReturnType<typeof decideHeartbeat> | ReturnType<typeof decideReport> {
  const { current } = folding
  if (!isWhole(current)) {
    const decision = decideHeartbeat(current, request, now)
    folding.isDoubtful ||= decision === null
    if (decision !== null && 'status' in decision) {
      folding.current = { ...current, states: statesAfter(current, decision) }
    }
    return decision
  }
  const decision = decideReport(registry, current, request, now)
  if ('status' in decision) {
    const { conditions, changes, settles } = decision
    const resource = { ...current.resource, conditions }
    folding.current = { resource, states: statesAfter(current, decision) }
    folding.changes ||= changes
    folding.settles ||= settles
  }
  return decision
}

function statesAfter(
  { states }: Pick<PartialBasis, 'states'>,
  { status, stored }: Pick<ReportDecision, 'status' | 'stored'>,
): readonly StoredReport[] {
  const others = states.filter(({ adapter }) => adapter !== status.adapter)
  return [...others, { ...status, revision: stored?.revision ?? 0 }]
}

/** A basis that is not whole was read at a version that is known to be settled. */
function isSettled({ read, settles, changes }: Folding): boolean {
  return !changes && (settles || !isWhole(read))
}

function changeOf({ read, current, changes }: Folding): readonly ConditionsWrite[] {
  if (!changes || !isWhole(read) || !isWhole(current)) return []
  return [{ resource: read.resource, conditions: current.resource.conditions }]
}

function rowsOf({ read, changes, rows }: Folding): readonly ReportRow[] {
  return [...rows.values()].map((row) => {
    const stored = read.states.find(({ adapter }) => adapter === row.status.adapter)
    const repeats = stored !== undefined && sameReport(stored, row.status)
    return { ...row, resourceId: read.resource.id, changes, repeats }
  })
}
