import { quantileOf } from '../measure/statistics.ts'

/** Counts and times the requests of a run. */
export interface Recorder {
  record(operation: string, status: number, milliseconds: number): void
  /** Records a request without a response. */
  fail(operation: string, reason: string): void
  /** Requests per second, latencies and statuses by operation. */
  table(seconds: number): string
  /** Requests with a 5xx response or without a response. */
  violations(): readonly string[]
}

interface Operation {
  readonly times: number[]
  readonly statuses: Map<number, number>
}

export function createRecorder(): Recorder {
  const operations = new Map<string, Operation>()
  const failures: string[] = []
  return {
    record: (name, status, milliseconds) => {
      const operation = operations.get(name) ?? { times: [], statuses: new Map<number, number>() }
      operations.set(name, operation)
      operation.times.push(milliseconds)
      operation.statuses.set(status, (operation.statuses.get(status) ?? 0) + 1)
    },
    fail: (name, reason) => void failures.push(`${name}: ${reason}`),
    table: (seconds) => tableOf(operations, seconds),
    violations: () => [...failures, ...serverErrors(operations)],
  }
}

function tableOf(operations: ReadonlyMap<string, Operation>, seconds: number): string {
  const rows = [...operations]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, operation]) => {
      const { times } = operation
      const rate = (times.length / seconds).toFixed(0)
      const failed = [...operation.statuses].filter(([status]) => status >= 300)
      const failures = failed.map(([status, count]) => `${status}: ${count}`).join(', ')
      const [p50, p99] = [0.5, 0.99].map((share) => `${quantileOf(times, share).toFixed(1)} ms`)
      return `| ${name} | ${rate} | ${p50} | ${p99} | ${failures} |`
    })
  const all = [...operations.values()].reduce((sum, { times }) => sum + times.length, 0)
  return [
    `${(all / seconds).toFixed(0)} requests/s`,
    '',
    '| Operation | requests/s | p50 | p99 | not 2xx |',
    '|---|---:|---:|---:|---|',
    ...rows,
  ].join('\n')
}

function serverErrors(operations: ReadonlyMap<string, Operation>): readonly string[] {
  return [...operations].flatMap(([name, { statuses }]) =>
    [...statuses]
      .filter(([status]) => status >= 500)
      .map(([status, count]) => `${name}: ${count} responses with ${status}`),
  )
}
