/** A kind of the HyperFleet API, as commands name it. */
export interface KindTarget {
  readonly api: 'hyperfleet'
  /** `Cluster` */
  readonly kind: string
  /** `clusters` */
  readonly plural: string
  /** `cluster` */
  readonly singular: string
  /** The kind of the resources to which resources of this kind belong; null for root kinds. */
  readonly parentKind: string | null
}

/** A resource of a plane, such as fleets or config maps. */
export interface PlaneTarget {
  readonly api: 'plane'
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  /** The cluster of the plane; `root` for the server's root plane. */
  readonly cluster: string
}

export type Target = KindTarget | PlaneTarget
