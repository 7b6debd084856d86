import { BoundedMap } from '../lib/bounded-map.ts'
import type { Database } from '../store/database/database.ts'
import { type ClaimedWork, claimWork, estimateClaim, type WorkClaim } from './storage/claim-work.ts'

/** Above this cost by the planner, that of reading 200 000 resources, a search walks in parts. */
const MAX_COST = 50_000
/** The rows of the queue that the statements of one attempt examine. */
const PARTS = [500, 5000, 15_000] as const
/** After an attempt without a result, a walk pauses this many times as long as the attempt took. */
const PAUSE_FACTOR = 4
/** An estimate that a search is cheap holds for this time. */
const ESTIMATE_MS = 10_000
/** Searches come from clients. A forgotten walk begins again. */
const MAX_WALKS = 1000

interface Walk {
  /** The next attempt examines the rows after this position; null for the beginning of the queue. */
  after: bigint | null
  /** When the next attempt may begin, by `performance.now()`. */
  resumeTime: number
  /** When the cost is estimated again. */
  estimateTime: number
}

export interface SearchedWork extends ClaimedWork {
  /** How long the search pauses because it is expensive; null if it does not. */
  readonly pauseMs: number | null
}

interface Options {
  readonly maxCost?: number
  readonly now?: () => number
}

/**
 * Claims work that matches a search. If PostgreSQL would read very many rows to find all matches, as
 * for a field without an index in a long queue, each attempt examines the next part of the queue
 * only, from its beginning again after its end.
 */
export class SearchWalks {
  readonly #database: Database
  readonly #maxCost: number
  readonly #now: () => number
  readonly #walks = new BoundedMap<Walk>(MAX_WALKS)

  constructor(
    database: Database,
    { maxCost = MAX_COST, now = () => performance.now() }: Options = {},
  ) {
    this.#database = database
    this.#maxCost = maxCost
    this.#now = now
  }

  /** Equal searches of a queue have equal keys: they continue each other. */
  async claim(key: string, claim: WorkClaim): Promise<SearchedWork> {
    const walk = this.#walkOf(key)
    const begin = this.#now()
    if (begin < walk.resumeTime) {
      return { leased: [], isFull: false, pauseMs: walk.resumeTime - begin }
    }
    if (await this.#isCheap(walk, claim)) {
      return { ...(await claimWork(this.#database, claim)), pauseMs: null }
    }
    for (const rows of PARTS) {
      const { last, ...claimed } = await claimWork(this.#database, {
        ...claim,
        part: { after: walk.after, rows },
      })
      // A full claim may have left matches in its part.
      if (!claimed.isFull) walk.after = last
      if (claimed.leased.length > 0 || claimed.isFull) return { ...claimed, pauseMs: null }
      if (last === null) break
    }
    const end = this.#now()
    const pauseMs = PAUSE_FACTOR * (end - begin)
    walk.resumeTime = end + pauseMs
    return { leased: [], isFull: false, pauseMs }
  }

  #walkOf(key: string): Walk {
    const known = this.#walks.get(key)
    if (known) return known
    const walk = { after: null, resumeTime: -Infinity, estimateTime: -Infinity }
    this.#walks.set(key, walk)
    return walk
  }

  /** Decided at the beginning of the queue. */
  async #isCheap(walk: Walk, claim: WorkClaim): Promise<boolean> {
    if (walk.after !== null) return false
    if (this.#now() < walk.estimateTime) return true
    const isCheap = (await estimateClaim(this.#database, claim)) <= this.#maxCost
    walk.estimateTime = isCheap ? this.#now() + ESTIMATE_MS : -Infinity
    return isCheap
  }
}
