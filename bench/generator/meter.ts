import { cpuSeconds, machineCpuSeconds } from '../measure/process-cpu.ts'
import { createHistogram, type Histogram } from './histogram.ts'
import type { LoadResult, Target } from './messages.ts'
import type { ParsedResponse } from './response-parser.ts'

/** Counts the responses between `begin` and `end`. */
export interface Meter {
  begin(): void
  end(): void
  record(operation: string, response: ParsedResponse, milliseconds: number): void
  /** Records a request that the server rejected because of overload. */
  recordRejection(): void
  /** Number of responses and rejections so far. */
  responses(): number
  result(): LoadResult
}

interface Reading {
  readonly time: number
  readonly server: number | null
  readonly postgres: number | null
  readonly generator: number
  readonly machine: number | null
}

export function createMeter(target: Pick<Target, 'pid' | 'postgresPid'>): Meter {
  const all = createHistogram()
  const operations = new Map<string, Histogram>()
  let isMeasuring = false
  let first: Reading | null = null
  let last: Reading | null = null
  let rejected = 0
  let bytes = 0
  return {
    begin: () => {
      isMeasuring = true
      first = read(target)
    },
    end: () => {
      isMeasuring = false
      last = read(target)
    },
    record: (operation, response, milliseconds) => {
      if (!isMeasuring) return
      bytes += response.bytes
      let histogram = operations.get(operation)
      if (histogram === undefined) {
        histogram = createHistogram()
        operations.set(operation, histogram)
      }
      histogram.record(milliseconds * 1000)
      all.record(milliseconds * 1000)
    },
    recordRejection: () => {
      if (isMeasuring) rejected += 1
    },
    responses: () => all.count + rejected,
    result: () => {
      if (first === null || last === null) throw new Error('the meter was not stopped')
      return {
        seconds: (last.time - first.time) / 1000,
        requests: all.count,
        rejected,
        bytes,
        ...latencyOf(all),
        operations: [...operations].map(([operation, histogram]) => {
          return { operation, requests: histogram.count, ...latencyOf(histogram) }
        }),
        cpu: {
          server: difference(first.server, last.server),
          postgres: difference(first.postgres, last.postgres),
          generator: last.generator - first.generator,
          machine: difference(first.machine, last.machine),
        },
      }
    },
  }
}

function read({ pid, postgresPid }: Pick<Target, 'pid' | 'postgresPid'>): Reading {
  const { user, system } = process.cpuUsage()
  return {
    time: performance.now(),
    server: cpuSeconds(pid, postgresPid),
    postgres: cpuSeconds(postgresPid),
    generator: (user + system) / 1e6,
    machine: machineCpuSeconds(),
  }
}

function difference(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from
}

function latencyOf(histogram: Histogram): { p50: number; p99: number; max: number } {
  const milliseconds = (microseconds: number): number => microseconds / 1000
  return {
    p50: milliseconds(histogram.percentile(0.5)),
    p99: milliseconds(histogram.percentile(0.99)),
    max: milliseconds(histogram.max()),
  }
}
