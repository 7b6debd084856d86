import type { Latency, LoadResult } from '../generator/messages.ts'
import type { Run } from './measurement.ts'

/** What the load generator measured, per request. */
export function runOfLoad(load: LoadResult): Run {
  const { requests, seconds, refused, operations, cpu } = load
  const perRequest = (total: number | null): number | null =>
    total === null || requests === 0 ? null : (total * 1e6) / requests
  return {
    requests,
    requestsPerSecond: requests / seconds,
    ...(requests === 0 ? { p50: null, p99: null, max: null } : latencyOf(load)),
    serverCpu: perRequest(cpu.server),
    postgresCpu: perRequest(cpu.postgres),
    generatorCpu: perRequest(cpu.generator),
    othersBusy: othersBusy(load),
    refused,
    operations,
  }
}

function latencyOf({ p50, p99, max }: LoadResult): Latency {
  return { p50, p99, max }
}

/** Null where something that took part is not seen. */
function othersBusy({ cpu, seconds }: LoadResult): number | null {
  if (cpu.machine === null || cpu.server === null) return null
  const ours = cpu.server + (cpu.postgres ?? 0) + cpu.generator
  return Math.max(0, cpu.machine - ours) / seconds
}
