import type { KindDescription, KindOverview } from '../../../typescript/src/generated/hyperfleet.ts'

/** A kind and its counts. */
export interface CountedKind {
  readonly kind: KindDescription
  readonly counts: KindOverview
}
