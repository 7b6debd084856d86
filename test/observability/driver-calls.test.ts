import { createClient, createRouterTransport } from '@connectrpc/connect'
import { expect, it } from 'vitest'
import {
  SandboxRuntime,
  SnapshotDriver,
} from '../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { driverTransport } from '../../src/sandboxes/drivers/protocol/driver-transport.ts'
import { runInBackgroundSpan } from '../../src/lib/tracing/request-context.ts'
import type { Span, Tracer } from '../../src/lib/tracing/span.ts'
import { startTraceCollector, tracerOf, treeOf } from './trace-collector.ts'

function reconciliation(tracer: Tracer): Span {
  return tracer.start('reconcile snapshots', null, { kind: 'consumer' })
}

/** A driver in this process, and the `traceparent` of each call that it receives. */
function drivers() {
  const received: (string | null)[] = []
  const transport = driverTransport(
    createRouterTransport(({ service }) => {
      service(SnapshotDriver, {
        getInfo: (_request, { requestHeader }) => {
          received.push(requestHeader.get('traceparent'))
          return {}
        },
      })
      service(SandboxRuntime, {
        logs: async function* logs(_request, { requestHeader }) {
          received.push(requestHeader.get('traceparent'))
          yield { data: Buffer.from('line') }
        },
      })
    }),
    1000,
  )
  return {
    received,
    driver: createClient(SnapshotDriver, transport),
    runtime: createClient(SandboxRuntime, transport),
  }
}

it('calls of drivers are spans of a reconciliation, and drivers receive their context', async () => {
  await using collector = await startTraceCollector()
  const tracer = tracerOf(collector)
  const { received, driver, runtime } = drivers()
  await runInBackgroundSpan(reconciliation(tracer), async () => {
    await driver.getInfo({})
    for await (const { data } of runtime.logs({})) expect(data).toHaveLength(4)
  })
  await driver.getInfo({})
  await tracer[Symbol.asyncDispose]()
  const spans = collector.spans()
  expect(treeOf(spans)).toEqual([
    'reconcile snapshots',
    expect.stringMatching(/^ {2}.*SnapshotDriver\/GetInfo$/),
    expect.stringMatching(/^ {2}.*SandboxRuntime\/Logs$/),
  ])
  const contexts = spans
    .filter(({ parentSpanId }) => parentSpanId !== '')
    .toSorted((a, b) => Number(a.start - b.start))
    .map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
  // The last call belongs to no trace.
  expect(received).toEqual([...contexts, null])
})

it('a failed call is a failed span with the code of the driver', async () => {
  await using collector = await startTraceCollector()
  const tracer = tracerOf(collector)
  const { driver } = drivers()
  await runInBackgroundSpan(reconciliation(tracer), async () => {
    await expect(driver.validate({})).rejects.toThrow()
  })
  await tracer[Symbol.asyncDispose]()
  const call = collector.spans().find(({ parentSpanId }) => parentSpanId !== '')
  expect(call?.hasFailed).toBe(true)
})
