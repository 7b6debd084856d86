import type { Dataset } from '../data/dataset.ts'
import type { Mix } from './operation.ts'

/** Where the load goes, and whose CPU time is read beside it. */
export interface Target {
  /** `http://host:port` */
  readonly origin: string
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>
  /** The server's process with its children; null where it is not known. */
  readonly pid: number | null
  /** PostgreSQL's first process, whose children serve the connections; null where not known. */
  readonly postgresPid: number | null
  readonly dataset: Dataset
  /** Ids of clusters and node pools by number; null where they follow from the dataset. */
  readonly ids: Ids | null
}

export interface Ids {
  readonly clusters: readonly string[]
  readonly nodePools: readonly string[]
}

export interface Timing {
  /** Seconds of load before the measurement begins. */
  readonly warmUp: number
  readonly seconds: number
}

/** A load: as many requests as the connections carry, or `rate` a second whatever happens. */
export interface Load extends Timing {
  readonly connections: number
  readonly rate: number | null
}

export type ToGenerator =
  | { readonly type: 'open'; readonly session: number; readonly target: Target; readonly mix: Mix }
  | { readonly type: 'run'; readonly session: number; readonly load: Load }
  | { readonly type: 'close'; readonly session: number }

export type FromGenerator =
  | { readonly type: 'listening' }
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

/** What was measured; CPU times in seconds, null where the process is not known. */
export interface LoadResult extends Latency {
  readonly seconds: number
  /** Answered as expected. */
  readonly requests: number
  /** Answers that said that the server has too much to do. */
  readonly refused: number
  readonly bytes: number
  readonly operations: readonly OperationResult[]
  readonly cpu: CpuSeconds
}

export interface CpuSeconds {
  readonly server: number | null
  readonly postgres: number | null
  readonly generator: number
  /** All that ran on the machine; null where that is not known. */
  readonly machine: number | null
}
