import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatcher } from '../../src/lib/async/batcher.ts'
import { currentContext, runInContext } from '../../src/lib/tracing/request-context.ts'
import type { Span } from '../../src/lib/tracing/span.ts'
import { startTraceCollector, tracerOf } from './trace-collector.ts'

const LIMITS = { name: 'double', maxBatchSize: 10, concurrency: 1, timeoutMs: 1000 }

/** A batcher that records the requests of each batch, and ends a batch when the test does. */
function doubling() {
  const batches: { readonly requests: readonly string[]; readonly end: () => void }[] = []
  const double = createBatcher(async (keys: readonly number[]) => {
    const requests = currentContext()?.requests.map(({ id }) => id) ?? []
    await new Promise<void>((end) => batches.push({ requests, end }))
    return keys.map((key) => key * 2)
  }, LIMITS)
  return { double, batches }
}

function asRequest<T>(id: string, span: Span | null, work: () => T): T {
  return runInContext({ requests: [{ id, traceId: null, user: null, search: null }], span }, work)
}

it('a batch is a span of its first request, and the spans of the others link it', async () => {
  await using collector = await startTraceCollector()
  const tracer = tracerOf(collector)
  const { double, batches } = doubling()
  const roots = ['a', 'b', 'c'].map((id) => tracer.start(id, null, { kind: 'server' }))
  const values = roots.map((root, key) => asRequest(`r${key}`, root, () => double(key)))
  await nextTurn()
  batches[0]?.end()
  expect(await Promise.all(values)).toEqual([0, 2, 4])
  for (const root of roots) root.end()
  await tracer[Symbol.asyncDispose]()
  expect(batches.map(({ requests }) => requests)).toEqual([['r0', 'r1', 'r2']])
  const spans = new Map(collector.spans().map((span) => [span.name, span]))
  const batch = spans.get('batch double')
  expect(batch?.parentSpanId).toBe(spans.get('a')?.spanId)
  expect(batch?.attributes.get('flotilla.batch.size')).toBe(3)
  expect(batch?.links).toEqual([spans.get('b')?.spanId, spans.get('c')?.spanId])
  expect(spans.get('a')?.links).toEqual([])
  expect(spans.get('b')?.links).toEqual([batch?.spanId])
  expect(spans.get('c')?.links).toEqual([batch?.spanId])
})

it('a batch runs for the requests that wait for it, not for the one whose turn started it', async () => {
  const { double, batches } = doubling()
  const first = asRequest('r1', null, () => double(1))
  await nextTurn()
  const second = asRequest('r2', null, () => double(2))
  batches[0]?.end()
  await first
  await nextTurn()
  const third = double(3)
  batches[1]?.end()
  await second
  await nextTurn()
  batches[2]?.end()
  await third
  expect(batches.map(({ requests }) => requests)).toEqual([['r1'], ['r2'], []])
})
