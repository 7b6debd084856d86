import { FlotillaError } from '../../lib/errors.ts'
import { pause } from '../../lib/pause.ts'
import { readForReports } from '../storage/read-for-reports.ts'
import { isStorableText } from '../storage/resource-key.ts'
import { writeReports } from '../storage/write-reports.ts'
import type { Context } from './context.ts'
import { type BatchEntry, type Fate, type Fold, foldReports } from './fold-reports.ts'
import { reportAlone } from './report-alone.ts'
import type { ReportOutcome } from './report-outcome.ts'
import { createSettledVersions, type SettledVersions } from './settled-versions.ts'

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
export interface ReportLanes {
  report(context: Context, entry: BatchEntry): Promise<ReportOutcome>
}

/**
 * `count` batches at most are written at a time; the reports of one resource are always in the
 * same lane. A report that is not begun within `patienceMs` fails with SVC-001: behind a database
 * that hangs, callers must not wait for all those before them.
 */
export function createReportLanes(count: number, patienceMs: number): ReportLanes {
  const settled = createSettledVersions()
  const lanes = Array.from({ length: count }, () => new Lane(patienceMs, settled))
  return {
    report: (context, entry) =>
      new Promise((resolve, reject) => {
        const lane = lanes[hashOf(entry.target.id) % count]
        const arrival = performance.now()
        lane?.add({ ...entry, context, arrival, resolve, reject })
      }),
  }
}

class Lane {
  readonly #patienceMs: number
  readonly #settled: SettledVersions
  #waiting: Waiting[] = []
  #running = false

  constructor(patienceMs: number, settled: SettledVersions) {
    this.#patienceMs = patienceMs
    this.#settled = settled
  }

  add(entry: Waiting): void {
    this.#waiting.push(entry)
    if (this.#running) return
    this.#running = true
    // Reports that arrive in the same turn of the event loop are of the same batch.
    setImmediate(() => void this.#run())
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
    const [first, second] = batch
    if (!first) return
    if (second) {
      await writeBatch(first.context, batch, this.#settled)
      return
    }
    // What comes meanwhile shall be one batch; but a report that waits for a lock holds up nobody.
    const settled = new AbortController()
    const patience = pause(LONE_MS, settled.signal)
    await Promise.race([settleAlone(first), patience])
    settled.abort()
  }
}

/** Writes a batch. What has lost a race, or cannot be written, goes on by itself. */
async function writeBatch(
  context: Context,
  batch: readonly Waiting[],
  versions: SettledVersions,
): Promise<void> {
  try {
    const { database, feed } = context
    const { fates, changing, rows, settled } = await decideBatch(context, batch, versions)
    const written =
      rows.length === 0 ? new Set<string>() : await writeReports(database, changing, rows)
    if (changing.length > 0) feed.sequencer.wrote()
    else feed.sequencer.wrotePerhaps()
    for (const { id, version } of settled) versions.note(id, version)
    for (const [index, entry] of batch.entries()) settle(entry, fates[index], written)
  } catch {
    for (const entry of batch) void settleAlone(entry)
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

function settle(entry: Waiting, fate: Fate | undefined, written: ReadonlySet<string>): void {
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
  void settleAlone(entry)
}

/** Never fails: the entry learns of everything. */
async function settleAlone({ context, target, request, resolve, reject }: Waiting): Promise<void> {
  try {
    resolve(await reportAlone(context, target, request))
  } catch (error) {
    reject(error)
  }
}

function tooLate(): FlotillaError {
  return new FlotillaError('SVC-001', 'Earlier reports have not been written in time')
}

/** Spreads ids, which differ most at their end. */
function hashOf(id: string): number {
  let hash = 0
  for (let index = Math.max(0, id.length - 8); index < id.length; index += 1) {
    hash = (hash * 31 + id.charCodeAt(index)) % 65_536
  }
  return hash
}
