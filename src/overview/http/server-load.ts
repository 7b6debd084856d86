import type { Feed } from '../../store/feed/feed.ts'
import { RateWindow } from '../rate-window.ts'
import type { Database } from '../../store/database/database.ts'
import { readEarlierRevision, readReportRate } from '../storage/read-load.ts'

/** The load of all servers, rounded for people. */
export interface Load {
  readonly changes_per_second: number
  readonly reports_per_second: number
  readonly feed_lag_seconds: number
}

interface Sources {
  readonly database: Database
  readonly feed: Feed
}

const SEED_SECONDS = 10
/** After a longer pause, the rate starts with what the log says about the last seconds. */
const MAX_GAP_MS = 5000

/** Measures the load. Its reads are cheap, but it reads at most once per interval. */
export class ServerLoad {
  readonly #sources: Sources
  #changes = new RateWindow()
  #sampledAt = -Infinity

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** The load at the moment. */
  async read(): Promise<Load> {
    const { database, feed } = this.#sources
    const now = performance.now()
    if (now - this.#sampledAt > MAX_GAP_MS) {
      this.#changes = new RateWindow()
      const earlier = await readEarlierRevision(database, SEED_SECONDS)
      this.#changes.sample(now - SEED_SECONDS * 1000, Number(earlier))
    }
    this.#sampledAt = now
    this.#changes.sample(now, Number(feed.broadcaster.resourceVersion.revision))
    return {
      changes_per_second: rounded(this.#changes.perSecond),
      reports_per_second: rounded(await readReportRate(database)),
      feed_lag_seconds: rounded(feed.lagSeconds()),
    }
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
