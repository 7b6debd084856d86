import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CompletedRequest } from './completed-request.ts'
import { createReplicaMetrics } from './replica-metrics.ts'
import {
  type Build,
  createProcessRegistry,
  exposeBuild,
  exposeLostLogLines,
} from './process-metrics.ts'

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

/** The server's metrics for Prometheus. Metrics with a source appear after its `expose` call. */
export interface Metrics {
  readonly registry: Registry
  observeRequest(
    exchange: Pick<CompletedRequest, 'method' | 'route' | 'status' | 'seconds'> &
      Partial<Pick<CompletedRequest, 'streamed'>>,
  ): void
  observeStatement(statement: string, seconds: number, succeeded: boolean): void
  reportAccepted(): void
  /** The number of accepted reports since the start. */
  acceptedReports(): number
  /** Counts a report that was discarded with 204. The set of reasons is small. */
  reportDiscarded(reason: string): void
  /** Counts a statement that took at least SLOW_QUERY_MS. */
  statementSlow(statement: string): void
  /** Counts spans that were sent to the collector of traces, or that it did not accept. */
  spansExported(result: 'exported' | 'failed', count: number): void
  /** Counts a request that was rejected because its caller sent too many. */
  rateLimited(scope: string): void
  searchRejected(): void
  watchStarted(): void
  /** Counts the end of a watch. The set of reasons is small. */
  watchEnded(reason: string): void
  /** Exposes the version. */
  exposeBuild(build: Build): void
  /** Exposes the number of lost log lines. */
  exposeLostLogLines(lostLines: () => number): void
  /** Exposes the memory of watches. */
  exposeWatchBudget(budget: { readonly pendingBytes: number }): void
  /** Exposes the pool's connections. */
  exposePool(pool: Pool): void
  /** Counts connections to another primary of the database. */
  exposeFailovers(database: { onFailover(listener: () => Promise<void>): void }): void
  /** Exposes the lag of the feed. */
  exposeFeedLag(feed: { lagSeconds(): number }): void
  /** Exposes the number of servers with a different configuration. */
  exposeConfigurationMismatch(membership: { mismatches(): number }): void
  /** Registers the metrics of replicas of the database. */
  replicas(): ReturnType<typeof createReplicaMetrics>
}

/** Creates metrics in a separate registry, so that a process can run two servers. */
export function createMetrics(): Metrics {
  const registry = createProcessRegistry()
  return {
    registry,
    observeRequest: requestObserver(registry),
    observeStatement: statementObserver(registry),
    statementSlow: slowCounter(registry),
    spansExported: spanCounter(registry),
    rateLimited: limitCounter(registry),
    ...domainCounters(registry),
    ...watchCounters(registry),
    exposeBuild: (build) => exposeBuild(registry, build),
    exposeLostLogLines: (lostLines) => exposeLostLogLines(registry, lostLines),
    exposePool: (pool) => exposePool(registry, pool),
    exposeFailovers: (database) => {
      const failovers = new Counter({
        name: `${PREFIX}db_failovers_total`,
        help: 'Times that the connections moved to another primary of the database.',
        registers: [registry],
      })
      database.onFailover(async () => failovers.inc())
    },
    replicas: () => createReplicaMetrics(registry),
    exposeFeedLag: (feed) => {
      const lag: Gauge = new Gauge({
        name: `${PREFIX}feed_lag_seconds`,
        help: 'Age of the oldest change that is not yet in the change log.',
        aggregator: 'max',
        registers: [registry],
        collect: () => lag.set(feed.lagSeconds()),
      })
    },
    exposeConfigurationMismatch: (membership) => {
      const mismatch: Gauge = new Gauge({
        name: `${PREFIX}configuration_mismatch`,
        help: 'Live servers of the database with a configuration that differs from this server.',
        aggregator: 'max',
        registers: [registry],
        collect: () => mismatch.set(membership.mismatches()),
      })
    },
    exposeWatchBudget: (budget) => {
      const pending: Gauge = new Gauge({
        name: `${PREFIX}watch_pending_bytes`,
        help: 'Bytes of changes and events that wait for watches, at most 256 MiB.',
        registers: [registry],
        collect: () => pending.set(budget.pendingBytes),
      })
    },
  }
}

/** All unknown paths share one label, so that clients cannot create time series. */
function requestObserver(registry: Registry): Metrics['observeRequest'] {
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Completed requests by route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from a request to the end of its response by route template, without watches.',
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
    help: 'Duration of a statement by name, including the wait for a connection.',
    labelNames: ['statement'],
    buckets: QUERY_BUCKETS,
    registers: [registry],
  })
  const failures = new Counter({
    name: `${PREFIX}db_query_failures_total`,
    help: 'Failed statements by name.',
    labelNames: ['statement'],
    registers: [registry],
  })
  return (statement, seconds, succeeded) => {
    durations.observe({ statement }, seconds)
    if (!succeeded) failures.inc({ statement })
  }
}

function slowCounter(registry: Registry): Metrics['statementSlow'] {
  const slow = new Counter({
    name: `${PREFIX}db_slow_queries_total`,
    help: 'Statements that took at least SLOW_QUERY_MS, by name.',
    labelNames: ['statement'],
    registers: [registry],
  })
  return (statement) => slow.inc({ statement })
}

function limitCounter(registry: Registry): Metrics['rateLimited'] {
  const limited = new Counter({
    name: `${PREFIX}rate_limited_requests_total`,
    help: 'Requests that were rejected because their caller sent too many, by the limit.',
    labelNames: ['limit'],
    registers: [registry],
  })
  for (const limit of ['read', 'write', 'authentication']) limited.inc({ limit }, 0)
  return (limit) => limited.inc({ limit })
}

function spanCounter(registry: Registry): Metrics['spansExported'] {
  const spans = new Counter({
    name: `${PREFIX}trace_spans_total`,
    help: 'Spans by result: exported to the collector, or failed.',
    labelNames: ['result'],
    registers: [registry],
  })
  for (const result of ['exported', 'failed']) spans.inc({ result }, 0)
  return (result, count) => spans.inc({ result }, count)
}

function domainCounters(
  registry: Registry,
): Pick<Metrics, 'reportAccepted' | 'acceptedReports' | 'reportDiscarded' | 'searchRejected'> {
  const reports = new Counter({
    name: `${PREFIX}reports_total`,
    help: 'Adapter reports by result: accepted, or discarded with the reason.',
    labelNames: ['result', 'reason'],
    registers: [registry],
  })
  const searches = new Counter({
    name: `${PREFIX}searches_rejected_total`,
    help: 'Searches that exceeded the time limit or waited too long to start.',
    registers: [registry],
  })
  let accepted = 0
  return {
    reportAccepted: () => {
      accepted += 1
      reports.inc({ result: 'accepted', reason: '' })
    },
    acceptedReports: () => accepted,
    reportDiscarded: (reason) => reports.inc({ result: 'discarded', reason }),
    searchRejected: () => searches.inc(),
  }
}

function watchCounters(registry: Registry): Pick<Metrics, 'watchStarted' | 'watchEnded'> {
  const open = new Gauge({
    name: `${PREFIX}watchers`,
    help: 'Open watches.',
    registers: [registry],
  })
  const ended = new Counter({
    name: `${PREFIX}watches_ended_total`,
    help: 'Ended watches by reason.',
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
    help: 'Connections of the pool by state; waiting counts statements that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      gauge.set({ state: 'total' }, pool.totalCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
      gauge.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}
