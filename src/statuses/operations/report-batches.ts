import { type Call, createBatchQueue } from '../../lib/async/batch-queue.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { readForReports } from '../storage/read-for-reports.ts'
import { isStorableText } from '../../core/storage/database/storable-text.ts'
import { rowKey } from '../../core/storage/resources/row-key.ts'
import { writeReports } from '../storage/write-reports.ts'
import type { Context } from '../../core/operations/context.ts'
import { type BatchEntry, type Fate, type Fold, foldReports } from './fold-reports.ts'
import { createKnownReports } from './known-reports.ts'
import { type RepeatMemory, repeatReports } from './repeat-reports.ts'
import { reportAlone } from './report-alone.ts'
import type { ReportOutcome } from './report-outcome.ts'
import { createSettledVersions, type SettledVersions } from './settled-versions.ts'
import { createTrust } from './trust.ts'

/** More reports per batch would make the first ones wait without saving much. */
const MAX_REPORTS = 128

/** How long the next batch waits for a report that is written by itself. */
const LONE_MS = 50

interface ContextEntry extends BatchEntry {
  readonly context: Context
}

/** A report that waits for its batch. */
type Waiting = ContextEntry & Omit<Call<ContextEntry, ReportOutcome>, 'input'>

/** Takes reports in batches: those that arrive while a batch is written are the next one. */
export interface ReportBatches {
  report(context: Context, entry: BatchEntry): Promise<ReportOutcome>
  /** Forgets what it has read and written: the database may be another one. */
  forget(): void
}

interface Options {
  readonly timeoutMs: number
  /** For the reports that were stored last, in bytes. */
  readonly memory: number
}

/** The reports that were stored last, and of more resources the version alone. */
interface Memory extends RepeatMemory {
  readonly versions: SettledVersions
}

/**
 * One batch is written at a time. A report that has not started within `timeoutMs` fails with
 * `unavailable`: callers must not queue behind a database that hangs.
 */
export function createReportBatches({ timeoutMs, memory: memoryBytes }: Options): ReportBatches {
  const memory: Memory = {
    known: createKnownReports(memoryBytes),
    trust: createTrust(),
    versions: createSettledVersions(),
  }
  const take = createBatchQueue<ContextEntry, ReportOutcome>({
    run: (batch) =>
      takeBatch(
        batch.map(({ input, ...call }) => ({ ...input, ...call })),
        memory,
      ),
    maxBatchSize: MAX_REPORTS,
    concurrency: 1,
    timeoutMs,
  })
  return {
    report: (context, entry) => take({ ...entry, context }),
    forget: () => {
      memory.known.clear()
      memory.versions.clear()
    },
  }
}

/** Takes a batch: first the reports that repeat their rows, then the others together. */
async function takeBatch(batch: readonly Waiting[], memory: Memory): Promise<void> {
  const others = await withoutRepeats(batch, memory)
  const [first, second] = others
  if (!first) return
  if (second) await writeBatch(first.context, others, memory)
  // A lone report that waits for a lock does not hold up the next batch for long.
  else await withTimeout(settleAlone(first, memory), LONE_MS)
}

/** Settles the reports that repeat their rows, and returns the others. */
async function withoutRepeats(
  batch: readonly Waiting[],
  memory: Memory,
): Promise<readonly Waiting[]> {
  const [first] = batch
  if (!first) return []
  try {
    const repeats = await repeatReports(first.context, batch, memory)
    return batch.filter((entry, index) => {
      const stored = repeats[index] ?? null
      if (stored !== null) entry.resolve({ stored })
      return stored === null
    })
  } catch {
    for (const entry of batch) void settleAlone(entry, memory)
    return []
  }
}

/** Writes a batch. What has lost a race, or cannot be written, goes on by itself. */
async function writeBatch(
  context: Context,
  batch: readonly Waiting[],
  memory: Memory,
): Promise<void> {
  try {
    const { database, feed } = context
    const fold = await decideBatch(context, batch, memory.versions)
    const { fates, changing, rows } = fold
    const written =
      rows.length === 0 ? new Set<string>() : await writeReports(database, changing, rows)
    if (changing.length > 0) feed.sequencer.notifyWrite()
    else feed.sequencer.notifyPossibleWrite()
    noteSettled(memory, fold, written)
    for (const [index, entry] of batch.entries()) settle(entry, fates[index], written, memory)
  } catch {
    for (const entry of batch) void settleAlone(entry, memory)
  }
}

function noteSettled(
  { known, versions }: Memory,
  { settled, changing, rows }: Fold,
  written: ReadonlySet<string>,
): void {
  for (const { resource } of changing) known.forget(resource.id)
  for (const { id, version } of settled.values()) versions.note(id, version)
  for (const { resourceId, status, revision, count } of rows) {
    const resource = settled.get(resourceId)
    if (resource === undefined || !written.has(rowKey(resourceId, status.adapter))) continue
    known.note(resource, { ...status, revision: revision + count })
  }
}

/** Reads what heartbeats need; all of a resource only where a report may change its conditions. */
async function decideBatch(
  { database, registry, clock }: Context,
  batch: readonly Waiting[],
  versions: SettledVersions,
): Promise<Fold> {
  const ids = [...new Set(batch.map(({ target }) => target.id))].filter(isStorableText)
  const adapters = [...new Set(batch.map(({ request }) => request.report.adapter))]
  const wanted = ids.map((id) => ({ id, settled: versions.of(id) }))
  const bases = await readForReports(database, wanted, adapters)
  const fold = foldReports(registry, bases, batch, clock())
  if (fold.doubtful.length === 0) return fold
  const doubtful = fold.doubtful.map((id) => ({ id, settled: null }))
  const whole = await readForReports(database, doubtful, adapters)
  return foldReports(registry, new Map([...bases, ...whole]), batch, clock())
}

function settle(
  entry: Waiting,
  fate: Fate | undefined,
  written: ReadonlySet<string>,
  memory: Memory,
): void {
  switch (fate?.type) {
    case 'settled':
      entry.resolve(fate.outcome)
      return
    case 'failed':
      entry.reject(fate.error)
      return
    case 'stored':
      if (written.has(fate.row)) {
        entry.resolve({ stored: fate.status })
        return
      }
      break
    default:
      break
  }
  void settleAlone(entry, memory)
}

/** Never fails: the entry learns of everything. */
async function settleAlone(
  { context, target, request, resolve, reject }: Waiting,
  { known }: Memory,
): Promise<void> {
  try {
    const outcome = await reportAlone(context, target, request)
    if ('settled' in outcome) known.note(outcome.settled.resource, outcome.settled.report)
    resolve(outcome)
  } catch (error) {
    reject(error)
  }
}
