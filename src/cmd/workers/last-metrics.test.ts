import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LastMetrics } from './last-metrics.ts'
import type { ProcessMetrics } from './messages.ts'

/** The metrics of a process with this number of requests, which took half a second each. */
function metricsAfter(requests: number): Promise<ProcessMetrics> {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'requests_total', help: 'a', registers }).inc(requests)
  new Gauge({ name: 'open', help: 'a', registers }).set(requests)
  const seconds = new Histogram({ name: 'seconds', help: 'a', buckets: [1], registers })
  for (let request = 0; request < requests; request += 1) seconds.observe(0.5)
  return registry.getMetricsAsJSON()
}

async function sums(all: readonly ProcessMetrics[]): Promise<readonly number[]> {
  const text = await AggregatorRegistry.aggregate([...all]).metrics()
  return ['requests_total', 'seconds_count', 'open'].map((name) => {
    return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
  })
}

test('counts of a process that has ended stay, and its gauges do not', async () => {
  const last = new LastMetrics()
  const [three, four, one] = await Promise.all([3, 4, 1].map(metricsAfter))
  const answered = (pid: number, metrics: ProcessMetrics | undefined) => ({
    pid,
    metrics: metrics ?? null,
  })
  expect(await sums(await last.update([answered(10, three), answered(11, four)]))).toEqual([
    7, 7, 7,
  ])
  expect(await sums(await last.update([answered(10, three), answered(12, one)]))).toEqual([8, 8, 4])
  // A process without an answer keeps its last one.
  const [first, second] = await Promise.all([
    last.update([answered(13, undefined), answered(12, undefined)]),
    last.update([answered(13, one), answered(12, one)]),
  ])
  expect(await sums(first)).toEqual([8, 8, 1])
  expect(await sums(second)).toEqual([9, 9, 2])
})
