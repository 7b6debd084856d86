import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('counts and times requests by route template', async () => {
  const metrics = createMetrics()
  metrics.observeRequest({ method: 'GET', route: '/clusters', status: 200, seconds: 0.02 })
  const text = await metrics.registry.metrics()
  expect(text).toContain(
    'flotilla_http_requests_total{method="GET",route="/clusters",status="200"} 1',
  )
  expect(text).toContain(
    'flotilla_http_request_duration_seconds_count{method="GET",route="/clusters"} 1',
  )
  expect(text).toContain(
    'flotilla_http_request_duration_seconds_bucket{le="0.025",method="GET",route="/clusters"} 1',
  )
})

test('uses one label for all unknown paths', async () => {
  const metrics = createMetrics()
  metrics.observeRequest({ method: 'GET', route: null, status: 404, seconds: 0 })
  metrics.observeRequest({ method: 'GET', route: null, status: 404, seconds: 0 })
  expect(await metrics.registry.metrics()).toContain(
    '{method="GET",route="unmatched",status="404"} 2',
  )
})

test('exposes the current state of the pool', async () => {
  const metrics = createMetrics()
  const pool = { totalCount: 1, idleCount: 1, waitingCount: 0 }
  metrics.exposePool(pool)
  pool.totalCount = 5
  pool.waitingCount = 3
  const text = await metrics.registry.metrics()
  expect(text).toContain('flotilla_db_pool_connections{state="total"} 5')
  expect(text).toContain('flotilla_db_pool_connections{state="idle"} 1')
  expect(text).toContain('flotilla_db_pool_connections{state="waiting"} 3')
})

test('times statements by name and counts those that failed', async () => {
  const metrics = createMetrics()
  metrics.observeStatement('ping', 0.001, true)
  metrics.observeStatement('ping', 0.001, false)
  const text = await metrics.registry.metrics()
  expect(text).toContain('flotilla_db_query_duration_seconds_count{statement="ping"} 2')
  expect(text).toContain('flotilla_db_query_failures_total{statement="ping"} 1')
})

test('counts reports and rejected searches', async () => {
  const metrics = createMetrics()
  metrics.reportAccepted()
  metrics.reportDiscarded('stale-generation')
  metrics.searchRejected()
  const text = await metrics.registry.metrics()
  expect(text).toContain('flotilla_reports_total{result="accepted",reason=""} 1')
  expect(text).toContain('flotilla_reports_total{result="discarded",reason="stale-generation"} 1')
  expect(text).toContain('flotilla_searches_rejected_total 1')
})

test('separates the servers of one process', async () => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.searchRejected()
  expect(await other.registry.metrics()).toContain('flotilla_searches_rejected_total 0')
})

test('observes garbage collections once per process', async () => {
  const [one, other] = [createMetrics().registry, createMetrics().registry]
  const name = 'nodejs_gc_duration_seconds'
  expect(one.getSingleMetric(name)).toBeDefined()
  expect(other.getSingleMetric(name)).toBe(one.getSingleMetric(name))
  one.removeSingleMetric(name)
  expect(other.getSingleMetric(name)).toBeDefined()
})

test('exposes process metrics under the standard names', async () => {
  const text = await createMetrics().registry.metrics()
  expect(text).toMatch(/^process_cpu_seconds_total \d/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m)
})
