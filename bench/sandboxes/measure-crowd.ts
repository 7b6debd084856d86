import { setTimeout as sleep } from 'node:timers/promises'
import { createHistogram } from '../generator/histogram.ts'
import type { SandboxApi } from './sandbox-api.ts'
import type { SandboxBench } from './sandbox-bench.ts'
import { timed } from './measure-strategies.ts'

const SANDBOXES = { full: 200, quick: 10 }
const CREATES_AT_A_TIME = 20
/** Of each caller. */
const READERS = 4
/** After each read, so that the readers do not keep the server busy. */
const PAUSE_MS = 10
const IDLE_MS = { full: 10_000, quick: 2000 }

/**
 * Suspends many sandboxes at the same time. Compares the latency of reads with that of an idle
 * server, for the caller that waits for the suspensions and for another one.
 */
export async function measureCrowd(bench: SandboxBench): Promise<void> {
  const { api, fact, isQuick } = bench
  await api.awaitRuntime()
  const count = bench.crowd ?? (isQuick ? SANDBOXES.quick : SANDBOXES.full)
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

async function readUntil(bench: SandboxBench, end: AbortSignal, when: string): Promise<void> {
  const callers = { 'the same caller': bench.api, 'another caller': bench.otherCaller }
  await Promise.all(
    Object.entries(callers).map(async ([caller, api]) => {
      const latencies = await latenciesOf(api, end)
      for (const percent of [50, 99, 100]) {
        const name = `read of ${caller}, ${when}, p${percent}`
        bench.fact(name, latencies.percentile(percent / 100) / 1000, 'ms')
      }
      bench.fact(`reads of ${caller}, ${when}`, latencies.count, '')
    }),
  )
}

async function latenciesOf(api: SandboxApi, end: AbortSignal) {
  const histogram = createHistogram()
  const read = async (): Promise<void> => {
    while (!end.aborted) {
      histogram.record((await timed(() => api.read())) * 1000)
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  return histogram
}
