import type { ObjectContent } from './object-write.ts'

/** The initial content of a plane. */
export interface PlaneSeed {
  readonly plane: string
  /** The revision of the plane if it has no row. */
  readonly start: bigint
  /** Objects in the order of their revisions. Their namespaces exist in the seed or are computed. */
  readonly contents: readonly ObjectContent[]
}
