/** The knowledge of a writer about a cluster. `spec.counter` always equals the generation. */
export interface LedgerCluster {
  readonly name: string
  /** Null until the create is acknowledged. */
  id: string | null
  /** The highest acknowledged generation; 0 before the create is acknowledged. */
  generation: number
  /** The highest generation that a request may have written. */
  attempted: number
  deletion: 'none' | 'attempted' | 'acknowledged'
  /** `data.sequence` of the last acknowledged report; 0 without one. */
  report: number
  /** Sequences of reports with an unknown outcome. A late one may replace an acknowledged one. */
  readonly uncertainReports: Set<number>
}

/** Outcomes of single attempts. */
export interface Attempts {
  acknowledged: number
  /** No connection, so nothing was sent. */
  refused: number
  /** Broken connections, timeouts and responses 502 and 504: the outcome is unknown. */
  lost: number
  /** Responses 429 and 503, which ask for another attempt. */
  unavailable: number
  /** Attempts with `If-Match` that another write preceded. */
  conflicts: number
  /** Any other response, such as 500. A correct client reports it to its user. */
  failed: number
}

/** Records the writes of a load and their outcomes for the clients. */
export class Ledger {
  readonly clusters = new Map<string, LedgerCluster>()
  readonly attempts: Attempts = {
    acknowledged: 0,
    refused: 0,
    lost: 0,
    unavailable: 0,
    conflicts: 0,
    failed: 0,
  }
  /** How often each response asked for another attempt. */
  readonly reasons = new Map<string, number>()
  /** Acknowledged writes that a later read did not contain. */
  readonly losses: string[] = []
  /** Failed attempts, with their responses. */
  readonly failures: string[] = []
  #lastAcknowledged = performance.now()
  #longestGapMs = 0
  readonly #waiting = new Set<{ readonly since: number; resolve: (at: number) => void }>()

  add(name: string): LedgerCluster {
    const cluster: LedgerCluster = {
      name,
      id: null,
      generation: 0,
      attempted: 1,
      deletion: 'none',
      report: 0,
      uncertainReports: new Set(),
    }
    this.clusters.set(name, cluster)
    return cluster
  }

  /** Counts a write whose last attempt began at this time. */
  acknowledge(startedAt: number): void {
    const now = performance.now()
    this.attempts.acknowledged += 1
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastAcknowledged)
    this.#lastAcknowledged = now
    for (const waiting of this.#waiting) {
      if (startedAt < waiting.since) continue
      this.#waiting.delete(waiting)
      waiting.resolve(now)
    }
  }

  /** Resolves with the time of the first acknowledgement of a request that is sent from now on. */
  nextAcknowledged(): Promise<number> {
    const since = performance.now()
    return new Promise((resolve) => void this.#waiting.add({ since, resolve }))
  }

  /** The longest time without an acknowledgement since the last call. */
  takeLongestGapMs(): number {
    const gap = Math.max(this.#longestGapMs, performance.now() - this.#lastAcknowledged)
    this.#longestGapMs = 0
    return gap
  }

  fail(text: string): void {
    this.attempts.failed += 1
    if (this.failures.length < 100) this.failures.push(text)
  }

  /** Counts a response that asks for another attempt. */
  postpone(reason: string): void {
    this.attempts.unavailable += 1
    this.reasons.set(reason, 1 + (this.reasons.get(reason) ?? 0))
  }

  lose(text: string): void {
    this.losses.push(text)
  }

  /** The number of writes whose outcome no client ever learned. */
  unknownWrites(): number {
    let unknown = 0
    for (const { generation, attempted, deletion } of this.clusters.values()) {
      if (attempted > generation || deletion === 'attempted') unknown += 1
    }
    return unknown
  }
}
