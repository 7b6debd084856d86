import type { Latency, LoadResult } from '../generator/messages.ts'
import type { Sample } from './measurement.ts'

/** Converts totals from the load generator to figures per request. */
export function sampleOfLoad(load: LoadResult): Sample {
  const { requests, seconds, rejected, operations, cpu } = load
  const perRequest = (total: number | null): number | null =>
    total === null || requests === 0 ? null : (total * 1e6) / requests
  return {
    requests,
    requestsPerSecond: requests / seconds,
    ...(requests === 0 ? { p50: null, p99: null, max: null } : latencyOf(load)),
    serverCpu: perRequest(cpu.server),
    postgresCpu: perRequest(cpu.postgres),
    generatorCpu: perRequest(cpu.generator),
    otherCpus: otherCpus(load),
    rejected,
    operations,
  }
}

function latencyOf({ p50, p99, max }: LoadResult): Latency {
  return { p50, p99, max }
}

/** Null if the CPU time of the machine or of the server is unknown. */
function otherCpus({ cpu, seconds }: LoadResult): number | null {
  if (cpu.machine === null || cpu.server === null) return null
  const ours = cpu.server + (cpu.postgres ?? 0) + cpu.generator
  return Math.max(0, cpu.machine - ours) / seconds
}
