import type { OperationResult } from '../generator/messages.ts'

/** Who was measured: this Flotilla, what it is compared with, or one of the two floors. */
export type Measured = 'flotilla' | 'against' | 'bare' | 'pgbench'

/** One turn. Times in milliseconds, CPU in microseconds per request; null where not measured. */
export interface Run {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50: number | null
  readonly p99: number | null
  readonly max: number | null
  readonly serverCpu: number | null
  readonly postgresCpu: number | null
  readonly generatorCpu: number | null
  /** CPUs that were busy with none of these. */
  readonly othersBusy: number | null
  /** Answers that said that the server has too much to do; they are not among the requests. */
  readonly refused: number
  readonly operations: readonly OperationResult[]
}

/** All turns of one contestant. */
export interface Measurement {
  readonly scenario: string
  readonly variant: string
  readonly measured: Measured
  readonly connections: number
  readonly rows: number
  readonly runs: readonly Run[]
  /** The most memory that the server process has held so far, in MB. */
  readonly peakMemory: number | null
}

/** A single figure that is no measurement of requests: a count, a share, a time. */
export interface Fact {
  readonly scenario: string
  readonly name: string
  readonly value: number
  readonly unit: string
}

/** What went without being measured, and why. */
export interface Omission {
  readonly scenario: string
  readonly what: string
  readonly reason: string
}
