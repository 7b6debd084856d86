import type { Dataset } from '../data/dataset.ts'
import type { Mix } from './operation.ts'

/** The server under load, and the processes whose CPU time is measured. */
export interface Target {
  /** `http://host:port` */
  readonly origin: string
  /** The server process; its children are included. Null if unknown. */
  readonly pid: number | null
  /** The PostgreSQL postmaster; its backends are included. Null if unknown. */
  readonly postgresPid: number | null
  readonly dataset: Dataset
}

export interface Timing {
  /** Seconds of load before the measurement begins. */
  readonly warmUp: number
  readonly seconds: number
}

export interface Load extends Timing {
  readonly connections: number
  /** Requests per second, independent of the responses. Null for a closed loop per connection. */
  readonly rate: number | null
}

export type ToGenerator =
  | { readonly type: 'open'; readonly session: number; readonly target: Target; readonly mix: Mix }
  | { readonly type: 'run'; readonly session: number; readonly load: Load }
  | { readonly type: 'close'; readonly session: number }

export type FromGenerator =
  | { readonly type: 'ready' }
  | { readonly type: 'measured'; readonly result: LoadResult }
  | { readonly type: 'failed'; readonly message: string }

export interface OperationResult extends Latency {
  readonly operation: string
  readonly requests: number
}

/** In milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** A measured load. CPU times are in seconds, and null if the process is unknown. */
export interface LoadResult extends Latency {
  readonly seconds: number
  /** Requests with the expected response. */
  readonly requests: number
  /** Requests that the server rejected because of overload. */
  readonly rejected: number
  readonly bytes: number
  readonly operations: readonly OperationResult[]
  readonly cpu: CpuSeconds
}

export interface CpuSeconds {
  readonly server: number | null
  readonly postgres: number | null
  readonly generator: number
  /** All processes on the machine; null if unknown. */
  readonly machine: number | null
}
