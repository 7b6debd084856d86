import type { QueueState } from '../../adapter-work/storage/read-queues.ts'
import type { BreakdownRow } from '../breakdown/breakdown-row.ts'
import type { AdapterReports } from '../storage/read-reports.ts'

/** An adapter that keeps resources waiting, and reports nothing for this time, is silent. */
const SILENT_MS = 300_000

/** The work of an adapter on the resources of a kind. */
export interface AdapterSummary {
  readonly adapter: string
  /** Whether the kind requires it of all resources. */
  readonly isRequired: boolean
  readonly reports: AdapterReports | null
  /** Since when resources wait for it and it reports nothing; null unless it is silent. */
  readonly silentSince: Date | null
  /** The resources that it keeps from being ready, by reason. */
  readonly rows: readonly BreakdownRow[]
  readonly failing: number
  readonly waiting: number
  readonly queue: QueueState | null
}

interface Inputs {
  readonly required: readonly string[]
  readonly reports: readonly AdapterReports[]
  readonly rows: readonly BreakdownRow[]
  readonly queues: readonly QueueState[]
  readonly now: Date
}

/**
 * The adapters that a kind requires, and those that have reported or must report on its resources.
 * Silent ones are first, then failing ones. A queue alone does not make an adapter visible: its
 * work may belong to other tenants.
 */
export function summarizeAdapters(inputs: Inputs): readonly AdapterSummary[] {
  const { required, reports, rows } = inputs
  const awaited = rows.flatMap(({ adapter }) => (adapter === null ? [] : [adapter]))
  const names = new Set([...required, ...reports.map(({ adapter }) => adapter), ...awaited])
  return [...names]
    .map((adapter) => summaryOf(adapter, inputs))
    .toSorted(
      (a, b) =>
        Number(b.silentSince !== null) - Number(a.silentSince !== null) ||
        b.failing - a.failing ||
        b.waiting - a.waiting ||
        Number(b.isRequired) - Number(a.isRequired) ||
        (a.adapter < b.adapter ? -1 : 1),
    )
}

function summaryOf(adapter: string, inputs: Inputs): AdapterSummary {
  const rows = inputs.rows.filter((row) => row.adapter === adapter)
  const reports = inputs.reports.find((one) => one.adapter === adapter) ?? null
  const queue = inputs.queues.find((one) => one.adapter === adapter) ?? null
  return {
    adapter,
    isRequired: inputs.required.includes(adapter),
    reports,
    silentSince: silentSince({ rows, reports, queue, now: inputs.now }),
    rows,
    failing: sum(rows.map(({ failing }) => failing)),
    waiting: sum(rows.map(({ count, failing }) => count - failing)),
    queue,
  }
}

/** An adapter with leases works. One that nothing waits for has no reason to report. */
function silentSince({
  rows,
  reports,
  queue,
  now,
}: Pick<AdapterSummary, 'rows' | 'reports' | 'queue'> & Pick<Inputs, 'now'>): Date | null {
  const [oldest] = rows
    .filter(({ failing }) => failing === 0)
    .map((row) => new Date(row.oldest))
    .filter((time) => !Number.isNaN(time.getTime()))
    .toSorted((a, b) => a.getTime() - b.getTime())
  if (oldest === undefined || (queue?.leased ?? 0) > 0) return null
  const isOld = (time: Date): boolean => now.getTime() - time.getTime() >= SILENT_MS
  const since = reports?.last_report_time ?? oldest
  return isOld(oldest) && isOld(since) ? since : null
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
