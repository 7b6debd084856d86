import { createHistogram } from '../generator/histogram.ts'
import type { SandboxBench } from './sandbox-bench.ts'
import { timed } from './measure-strategies.ts'

const SANDBOXES = { full: 200, quick: 10 }
const CREATES_AT_A_TIME = 20
const READERS = 4
const IDLE_MS = { full: 10_000, quick: 2000 }

/** Suspends many sandboxes at the same time, and compares the API's latency with an idle server. */
export async function measureCrowd(bench: SandboxBench): Promise<void> {
  const { api, fact, isQuick } = bench
  await api.awaitRuntime()
  const count = isQuick ? SANDBOXES.quick : SANDBOXES.full
  const names = Array.from({ length: count }, (_, index) => `crowd-${index}`)
  const script = 'echo ready | tee data; while :; do sleep 5; done'
  for (let start = 0; start < count; start += CREATES_AT_A_TIME) {
    const some = names.slice(start, start + CREATES_AT_A_TIME)
    await Promise.all(some.map((name) => api.create(name, 'process', script)))
  }
  const idle = AbortSignal.timeout(isQuick ? IDLE_MS.quick : IDLE_MS.full)
  await readUntil(bench, idle, 'idle')
  const done = new AbortController()
  const reads = readUntil(bench, done.signal, `while ${count} sandboxes are suspended`)
  const elapsed = await timed(() => Promise.all(names.map((name) => api.suspend(name))))
  done.abort()
  await reads
  fact(`suspend of ${count} sandboxes at the same time`, elapsed, 'ms')
  await Promise.all(names.map((name) => api.remove(name)))
}

async function readUntil(bench: SandboxBench, end: AbortSignal, what: string): Promise<void> {
  const histogram = createHistogram()
  const read = async (): Promise<void> => {
    while (!end.aborted) histogram.record((await timed(() => bench.api.read())) * 1000)
  }
  await Promise.all(Array.from({ length: READERS }, read))
  bench.fact(`read of the API, ${what}, p50`, histogram.percentile(0.5) / 1000, 'ms')
  bench.fact(`read of the API, ${what}, p99`, histogram.percentile(0.99) / 1000, 'ms')
}
