import { FlotillaError } from '../../lib/errors.ts'
import { pause } from '../../lib/pause.ts'
import { readForReports } from '../storage/read-for-reports.ts'
import { isStorableText } from '../storage/resource-key.ts'
import { rowKey } from '../storage/row-key.ts'
import { writeReports } from '../storage/write-reports.ts'
import type { Context } from './context.ts'
import { type BatchEntry, type Fate, type Fold, foldReports } from './fold-reports.ts'
import { createKnownReports } from './known-reports.ts'
import { type RepeatMemory, repeatReports } from './repeat-reports.ts'
import { reportAlone } from './report-alone.ts'
import type { ReportOutcome } from './report-outcome.ts'
import { createSettledVersions, type SettledVersions } from './settled-versions.ts'
import { createTrust } from './trust.ts'

/** Most reports of one batch: more would make the first ones wait without saving much. */
const MOST_REPORTS = 128

/** How long a report that came alone is waited for before the next ones go. */
const LONE_MS = 50

/** A report that waits for its batch. */
interface Waiting extends BatchEntry {
  readonly context: Context
  readonly arrival: number
  readonly resolve: (outcome: ReportOutcome) => void
  readonly reject: (error: unknown) => void
}

/** Takes reports in batches: those that arrive while a batch is written are the next one. */
export interface ReportBatches {
  report(context: Context, entry: BatchEntry): Promise<ReportOutcome>
  /** Forgets what it has read and written: the database may be another one. */
  forget(): void
}

interface Options {
  readonly patienceMs: number
  /** For the reports that were stored last, in bytes. */
  readonly memory: number
}

/**
 * One batch is written at a time. A report that is not begun within `patienceMs` fails with
 * SVC-001: behind a database that hangs, callers must not wait for all those before them.
 */
export function createReportBatches(options: Options): ReportBatches {
  return new Batches(options)
}

/** The reports that were stored last, and of more resources the version alone. */
interface Memory extends RepeatMemory {
  readonly versions: SettledVersions
}

class Batches implements ReportBatches {
  readonly #patienceMs: number
  readonly #memory: Memory
  #waiting: Waiting[] = []
  #running = false

  constructor({ patienceMs, memory }: Options) {
    this.#patienceMs = patienceMs
    this.#memory = {
      known: createKnownReports(memory),
      trust: createTrust(),
      versions: createSettledVersions(),
    }
  }

  report(context: Context, entry: BatchEntry): Promise<ReportOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...entry, context, arrival: performance.now(), resolve, reject })
      if (this.#running) return
      this.#running = true
      // Reports that arrive in the same turn of the event loop are of the same batch.
      setImmediate(() => void this.#run())
    })
  }

  forget(): void {
    this.#memory.known.clear()
    this.#memory.versions.clear()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_REPORTS)
      const late = performance.now() - this.#patienceMs
      for (const entry of batch) if (entry.arrival < late) entry.reject(tooLate())
      await this.#write(batch.filter(({ arrival }) => arrival >= late))
    }
    this.#running = false
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const others = await this.#withoutRepeats(batch)
    const [first, second] = others
    if (!first) return
    if (second) {
      await writeBatch(first.context, others, this.#memory)
      return
    }
    // What comes meanwhile shall be one batch; but a report that waits for a lock holds up nobody.
    const settled = new AbortController()
    const patience = pause(LONE_MS, settled.signal)
    await Promise.race([settleAlone(first, this.#memory), patience])
    settled.abort()
  }

  /** Settles what repeats its row; the others are still to be settled. */
  async #withoutRepeats(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const [first] = batch
    if (!first) return []
    try {
      const repeats = await repeatReports(first.context, batch, this.#memory)
      return batch.filter((entry, index) => {
        const stored = repeats[index] ?? null
        if (stored !== null) entry.resolve({ stored })
        return stored === null
      })
    } catch {
      for (const entry of batch) void settleAlone(entry, this.#memory)
      return []
    }
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
    if (changing.length > 0) feed.sequencer.wrote()
    else feed.sequencer.wrotePerhaps()
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

function tooLate(): FlotillaError {
  return new FlotillaError('SVC-001', 'Earlier reports have not been written in time')
}
