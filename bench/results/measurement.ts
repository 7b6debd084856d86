import type { OperationResult } from '../generator/messages.ts'

/** The server of this checkout, the `--against` server, or one of two baselines. */
export type SubjectName = 'flotilla' | 'against' | 'bare' | 'pgbench'

/**
 * One sample of a subject. Latencies are in milliseconds, CPU times in microseconds per request; null
 * if not measured.
 */
export interface Sample {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50: number | null
  readonly p99: number | null
  readonly max: number | null
  readonly serverCpu: number | null
  readonly postgresCpu: number | null
  readonly generatorCpu: number | null
  /** CPUs that other processes kept busy. */
  readonly otherCpus: number | null
  /** Requests that the server rejected because of overload; not included in `requests`. */
  readonly rejected: number
  readonly operations: readonly OperationResult[]
}

/** All samples of one subject. */
export interface Measurement {
  readonly scenario: string
  readonly variant: string
  readonly subject: SubjectName
  readonly connections: number
  readonly rows: number
  readonly samples: readonly Sample[]
  /** Peak memory of the server process so far, in MB. */
  readonly peakMemory: number | null
}

/** A single figure, such as a count, a share or a duration. */
export interface Fact {
  readonly scenario: string
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** A part of a scenario that was not measured, and the reason. */
export interface Omission {
  readonly scenario: string
  readonly what: string
  readonly reason: string
}
