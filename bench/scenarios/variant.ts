import type { BaselineOperation } from '../baselines/baseline-scripts.ts'
import type { Mix, Operation } from '../generator/operation.ts'

/** One load of a scenario. */
export interface Variant {
  readonly name: string
  readonly mix: Mix
  /**
   * Describes the problem of a response to a GET on a dataset of `rows` clusters, or returns
   * null. Called before the measurement.
   */
  readonly problem?: (response: ListResponse, rows: number) => string | null
  /** Whether to measure the bare server as a baseline. */
  readonly bare?: boolean
  /** The operation whose statements pgbench runs as a baseline. */
  readonly pgbench?: BaselineOperation
}

/** The fields of a list that checks read. Other responses have none of them. */
export interface ListResponse {
  readonly total?: number
  readonly items?: readonly unknown[]
}

/** A load of a single operation. */
export function only(operation: Operation): Mix {
  return [[1, operation]]
}
