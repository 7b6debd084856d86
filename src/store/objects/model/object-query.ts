import type { StoredObject } from './stored-object.ts'

/**
 * A requirement on a label. A missing key matches `not-in` and `absent`. `greater` and `less`
 * match decimal integers in the range of an int64 only.
 */
export type LabelRequirement =
  | { readonly operator: 'in' | 'not-in'; readonly key: string; readonly values: readonly string[] }
  | { readonly operator: 'exists' | 'absent'; readonly key: string }
  | { readonly operator: 'greater' | 'less'; readonly key: string; readonly value: bigint }

/** A requirement on a field. A missing field equals the empty string. */
export interface FieldRequirement {
  readonly operator: 'equals' | 'not-equals'
  /** `metadata.name`, `metadata.namespace`, or other paths, such as `spec.host` or `a|b`. */
  readonly field: string
  readonly value: string
}

/** The predicate of lists and watches: all requirements must match. */
export interface ObjectSelector {
  readonly labels: readonly LabelRequirement[]
  readonly fields: readonly FieldRequirement[]
}

/** A page of the objects of one resource in a plane, ordered by namespace and name. */
export interface ObjectQuery {
  readonly plane: string
  readonly resource: string
  /** Empty for all namespaces. */
  readonly namespace: string
  readonly selector: ObjectSelector
  /** The most objects; null for all. */
  readonly limit: number | null
  /** The page starts after this object; null for the first page. */
  readonly after: { readonly namespace: string; readonly name: string } | null
  /** Whether to count the matching objects after the page. */
  readonly countsRemaining?: boolean
  /** A replica may serve the page if its plane has reached this revision. Absent for the primary. */
  readonly atLeast?: bigint
}

/** A page and the revision of its plane in the same snapshot. */
export interface ObjectPage {
  readonly objects: readonly StoredObject[]
  readonly revision: bigint
  /** The number of matching objects after the page; null if unknown. */
  readonly remaining: number | null
  readonly hasMore: boolean
}
