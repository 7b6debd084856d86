import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CompletedRequest } from './completed-request.ts'
import { type Build, measureProcess, exposeBuild, exposeLostLogLines } from './process-metrics.ts'

const PREFIX = 'flotilla_'
const UNMATCHED = 'unmatched'
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const QUERY_BUCKETS = [0.0005, ...REQUEST_BUCKETS]

/** Connections of a pool as `pg.Pool` counts them. */
interface Pool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** What the server counts and measures, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  observeRequest(
    exchange: Pick<CompletedRequest, 'method' | 'route' | 'status' | 'seconds'> &
      Partial<Pick<CompletedRequest, 'streamed'>>,
  ): void
  observeStatement(statement: string, seconds: number, succeeded: boolean): void
  reportAccepted(): void
  /** Counts a report that was answered 204; the reasons are few. */
  reportDiscarded(reason: string): void
  searchRejected(): void
  watchStarted(): void
  /** Why a watch ended; the reasons are few. */
  watchEnded(reason: string): void
  /** From now on the version is shown. */
  exposeBuild(build: Build): void
  /** From now on the lines that the log has lost are shown. */
  exposeLostLogLines(lostLines: () => number): void
  /** From now on the memory of watches is shown. */
  exposeWatchBudget(budget: { readonly pendingBytes: number }): void
  /** From now on the pool's connections are shown. */
  exposePool(pool: Pool): void
  /** From now on the lag of the feed is shown. */
  exposeFeedLag(feed: { lagSeconds(): number }): void
  /** From now on the servers with another configuration are shown. */
  exposeConfigurationMismatch(membership: { mismatches(): number }): void
  /** From now on the memory for snapshots is shown. */
  exposeSnapshotCache(view: {
    readonly size: { readonly trees: number; readonly bytes: number }
  }): void
}

/** Metrics in a registry of their own, so that two servers in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  measureProcess(registry)
  return {
    registry,
    observeRequest: requestObserver(registry),
    observeStatement: statementObserver(registry),
    ...domainCounters(registry),
    ...watchCounters(registry),
    exposeBuild: (build) => exposeBuild(registry, build),
    exposeLostLogLines: (lostLines) => exposeLostLogLines(registry, lostLines),
    exposePool: (pool) => exposePool(registry, pool),
    exposeFeedLag: (feed) => {
      const lag: Gauge = new Gauge({
        name: `${PREFIX}feed_lag_seconds`,
        help: 'How long the oldest change waits for its place in the log of changes.',
        registers: [registry],
        collect: () => lag.set(feed.lagSeconds()),
      })
    },
    exposeConfigurationMismatch: (membership) => {
      const mismatch: Gauge = new Gauge({
        name: `${PREFIX}configuration_mismatch`,
        help: 'Live servers of the database whose configuration differs from that of this server.',
        registers: [registry],
        collect: () => mismatch.set(membership.mismatches()),
      })
    },
    exposeSnapshotCache: (view) => exposeSnapshotCache(registry, view),
    exposeWatchBudget: (budget) => {
      const pending: Gauge = new Gauge({
        name: `${PREFIX}watch_pending_bytes`,
        help: 'Memory of changes and events that wait for watches, bounded by WATCH_TOTAL_BUFFER_BYTES.',
        registers: [registry],
        collect: () => pending.set(budget.pendingBytes),
      })
    },
  }
}

/** A path that no route has is one label, whatever it is: strangers must not make time series. */
function requestObserver(registry: Registry): Metrics['observeRequest'] {
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Requests that were answered, by route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from a request to the end of its answer, by route template; without watches.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  })
  return ({ method, route, status, seconds, streamed = false }) => {
    const labels = { method, route: route ?? UNMATCHED }
    requests.inc({ ...labels, status })
    if (!streamed) durations.observe(labels, seconds)
  }
}

function statementObserver(registry: Registry): Metrics['observeStatement'] {
  const durations = new Histogram({
    name: `${PREFIX}db_query_duration_seconds`,
    help: 'Time of a statement with its wait for a connection, by name.',
    labelNames: ['statement'],
    buckets: QUERY_BUCKETS,
    registers: [registry],
  })
  const failures = new Counter({
    name: `${PREFIX}db_query_failures_total`,
    help: 'Statements that failed, by name.',
    labelNames: ['statement'],
    registers: [registry],
  })
  return (statement, seconds, succeeded) => {
    durations.observe({ statement }, seconds)
    if (!succeeded) failures.inc({ statement })
  }
}

function domainCounters(
  registry: Registry,
): Pick<Metrics, 'reportAccepted' | 'reportDiscarded' | 'searchRejected'> {
  const reports = new Counter({
    name: `${PREFIX}reports_total`,
    help: 'Reports of adapters: stored, or discarded with the reason.',
    labelNames: ['result', 'reason'],
    registers: [registry],
  })
  const searches = new Counter({
    name: `${PREFIX}searches_rejected_total`,
    help: 'Searches that ran too long or found no slot.',
    registers: [registry],
  })
  return {
    reportAccepted: () => reports.inc({ result: 'accepted', reason: '' }),
    reportDiscarded: (reason) => reports.inc({ result: 'discarded', reason }),
    searchRejected: () => searches.inc(),
  }
}

function watchCounters(registry: Registry): Pick<Metrics, 'watchStarted' | 'watchEnded'> {
  const open = new Gauge({
    name: `${PREFIX}watchers`,
    help: 'Watches that are open.',
    registers: [registry],
  })
  const ended = new Counter({
    name: `${PREFIX}watches_ended_total`,
    help: 'Watches that ended: left by the client, old, too slow, closed to save memory, unauthorized, failed, or shut down.',
    labelNames: ['reason'],
    registers: [registry],
  })
  return {
    watchStarted: () => open.inc(),
    watchEnded: (reason) => {
      open.dec()
      ended.inc({ reason })
    },
  }
}

function exposePool(registry: Registry, pool: Pool): void {
  const gauge = new Gauge({
    name: `${PREFIX}db_pool_connections`,
    help: 'Connections of the pool, and statements that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'total' }, pool.totalCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
      gauge.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}

function exposeSnapshotCache(
  registry: Registry,
  view: Parameters<Metrics['exposeSnapshotCache']>[0],
): void {
  const trees: Gauge = new Gauge({
    name: `${PREFIX}view_trees`,
    help: 'Trees of resources that snapshots are answered from without a statement.',
    registers: [registry],
    collect: () => trees.set(view.size.trees),
  })
  const bytes: Gauge = new Gauge({
    name: `${PREFIX}view_bytes`,
    help: 'Memory that these take, as it is estimated for VIEW_MAX_BYTES.',
    registers: [registry],
    collect: () => bytes.set(view.size.bytes),
  })
}
