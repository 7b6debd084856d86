import { type Call, createBatchQueue } from '../../../lib/async/batch-queue.ts'
import { withTimeout } from '../../../lib/async/with-timeout.ts'
import type { Context } from '../../../store/operations/context.ts'
import { isStorableText } from '../../../store/database/storable-text.ts'
import { readForReports } from '../storage/read-for-reports.ts'
import { writeReports } from '../storage/write-reports.ts'
import { type BatchEntry, type BatchPlan, type EntryPlan, planBatch } from './plan-batch.ts'
import { refreshUnchanged } from './refresh-unchanged.ts'
import type { ReportOutcome } from './report-outcome.ts'
import { createSyncedVersions, type SyncedVersions } from './synced-versions.ts'
import { writeSingleReport } from './write-single-report.ts'

/** Larger batches delay their first reports without saving much. */
const MAX_REPORTS = 128

/** How long the next batch waits for a report that is written by itself. */
const SINGLE_REPORT_MS = 50

interface ContextEntry extends BatchEntry {
  readonly context: Context
}

/** A report that waits for its batch. */
type Waiting = ContextEntry & Omit<Call<ContextEntry, ReportOutcome>, 'input'>

/** Writes reports in batches: reports that arrive while a batch is being written form the next. */
export interface ReportBatches {
  report(context: Context, entry: BatchEntry): Promise<ReportOutcome>
  /** Discards everything read from the database, which may have been replaced. */
  forget(): void
}

/**
 * Writes one batch at a time. A report that has not started within `timeoutMs` fails with SVC-001,
 * so that callers do not queue behind a database that hangs.
 */
export function createReportBatches(timeoutMs: number): ReportBatches {
  const synced = createSyncedVersions()
  const take = createBatchQueue<ContextEntry, ReportOutcome>({
    name: 'write_reports',
    run: (batch) =>
      takeBatch(
        batch.map(({ input, ...call }) => ({ ...input, ...call })),
        synced,
      ),
    maxBatchSize: MAX_REPORTS,
    concurrency: 1,
    timeoutMs,
  })
  return {
    report: (context, entry) => take({ ...entry, context }),
    forget: () => synced.clear(),
  }
}

async function takeBatch(batch: readonly Waiting[], synced: SyncedVersions): Promise<void> {
  const others = await resolveUnchanged(batch, synced)
  const [first, second] = others
  if (!first) return
  if (second) await writeBatch(first.context, others, synced)
  // A single report that waits for a lock delays the next batch only briefly.
  else await withTimeout(writeSingly(first, synced), SINGLE_REPORT_MS)
}

/** Refreshes the reports that repeat their stored ones, and returns the others. */
async function resolveUnchanged(
  batch: readonly Waiting[],
  synced: SyncedVersions,
): Promise<readonly Waiting[]> {
  const [first] = batch
  if (!first) return []
  try {
    const outcomes = await refreshUnchanged(first.context, batch, synced)
    return batch.filter((entry, index) => {
      const outcome = outcomes[index] ?? null
      if (outcome !== null) entry.resolve(outcome)
      return outcome === null
    })
  } catch {
    for (const entry of batch) void writeSingly(entry, synced)
    return []
  }
}

/** Writes a batch. Reports that lost a race, or cannot be written together, are written singly. */
async function writeBatch(
  context: Context,
  batch: readonly Waiting[],
  synced: SyncedVersions,
): Promise<void> {
  try {
    const { database, feed } = context
    const { entries, changing, rows, ...plan } = await readAndPlan(context, batch)
    const written =
      rows.length === 0 ? new Set<string>() : await writeReports(database, changing, rows)
    if (changing.length > 0) feed.sequencer.notifyWrite()
    else feed.sequencer.notifyPossibleWrite()
    for (const { resource } of changing) synced.delete(resource.id)
    for (const resource of plan.synced) synced.record(resource)
    for (const [index, entry] of batch.entries()) {
      if (!isAnswered(entry, entries[index], written)) void writeSingly(entry, synced)
    }
  } catch {
    for (const entry of batch) void writeSingly(entry, synced)
  }
}

async function readAndPlan(
  { database, registry, clock }: Context,
  batch: readonly Waiting[],
): Promise<BatchPlan> {
  const ids = new Set(batch.map(({ target }) => target.id))
  const adapters = new Set(batch.map(({ request }) => request.report.adapter))
  const inputs = await readForReports(database, [...ids].filter(isStorableText), [...adapters])
  return planBatch({ registry, now: clock() }, inputs, batch)
}

/** Answers a report of a batch that has been written. Returns false if it must be written singly. */
function isAnswered(
  entry: Waiting,
  plan: EntryPlan | undefined,
  written: ReadonlySet<string>,
): boolean {
  switch (plan?.type) {
    case 'answer':
      entry.resolve(plan.outcome)
      return true
    case 'fail':
      entry.reject(plan.error)
      return true
    case 'write':
      if (!written.has(plan.row)) return false
      entry.resolve(plan.outcome)
      return true
    default:
      return false
  }
}

/** Never rejects; errors go to the entry's promise. */
async function writeSingly(entry: Waiting, synced: SyncedVersions): Promise<void> {
  try {
    entry.resolve(await writeSingleReport(entry.context, entry, synced.record))
  } catch (error) {
    entry.reject(error)
  }
}
