/** A kind of the HyperFleet API, as commands name it. */
export interface KindTarget {
  /** `Cluster` */
  readonly kind: string
  /** `clusters` */
  readonly plural: string
  /** `cluster` */
  readonly singular: string
  /** The kind of the resources to which resources of this kind belong; null for root kinds. */
  readonly parentKind: string | null
}
