import type { FloorOperation } from '../floors/floor-scripts.ts'
import type { Mix, Operation } from '../generator/operation.ts'

/** One load of a scenario. */
export interface Variant {
  readonly name: string
  readonly mix: Mix
  /**
   * What is wrong with an answer to a GET on so many clusters, null for nothing: asked before
   * anything is measured.
   */
  readonly problem?: (answer: ListAnswer, rows: number) => string | null
  /** Whether node:http alone is measured beside it. */
  readonly bare?: boolean
  /** The statements that pgbench repeats beside it. */
  readonly pgbench?: FloorOperation
}

/** As much of a list's answer as a check may want; an answer that is no list has none of it. */
export interface ListAnswer {
  readonly total?: number
  readonly items?: readonly unknown[]
}

/** A load of one operation. */
export function only(operation: Operation): Mix {
  return [[1, operation]]
}
