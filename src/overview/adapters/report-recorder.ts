import type { AcceptedReport } from '../../hyperfleet/verbs/handler.ts'
import type { Database } from '../../store/database/database.ts'
import { type CountedReports, recordReports } from '../storage/record-reports.ts'

/** The most rows of one record. The others follow in the next ones. */
const MAX_ROWS = 1000
/** Names of adapters come from clients. Beyond this, reports of further ones are not recorded. */
const MAX_PENDING = 10_000
/** A longer latency is not that of the adapter: it is new, and the resource is old. */
const MAX_LATENCY_MS = 86_400_000

/** Collects the reports that this server accepts, and adds them to those of the other servers. */
export class ReportRecorder {
  #pending = new Map<string, CountedReports>()

  add({ kind, tenant, adapter, time, latencyMs }: AcceptedReport): void {
    const isMeasured = latencyMs !== null && latencyMs <= MAX_LATENCY_MS
    const latency = isMeasured ? latencyMs / 1000 : 0
    const measured = isMeasured ? 1 : 0
    this.#merge({ kind, tenant, adapter, time, count: 1, measured, latency })
  }

  /** Records the collected reports, the oldest first. After a failure, the next call tries again. */
  async record(database: Database): Promise<void> {
    const entries = [...this.#pending].slice(0, MAX_ROWS)
    if (entries.length === 0) return
    for (const [key] of entries) this.#pending.delete(key)
    const counted = entries.map(([, one]) => one)
    try {
      await recordReports(database, counted)
    } catch (error) {
      for (const one of counted) this.#merge(one)
      throw error
    }
  }

  #merge(added: CountedReports): void {
    const key = JSON.stringify([added.kind, added.tenant, added.adapter])
    const known = this.#pending.get(key)
    if (known === undefined && this.#pending.size >= MAX_PENDING) return
    const time = known !== undefined && known.time > added.time ? known.time : added.time
    this.#pending.set(key, {
      ...added,
      time,
      count: added.count + (known?.count ?? 0),
      measured: added.measured + (known?.measured ?? 0),
      latency: added.latency + (known?.latency ?? 0),
    })
  }
}
