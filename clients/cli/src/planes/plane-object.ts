/** An object of a plane. */
export interface PlaneObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMetadata
  readonly status?: ObjectStatus | undefined
  readonly [field: string]: unknown
}

interface ObjectMetadata {
  readonly name: string
  readonly namespace?: string | undefined
  readonly uid?: string | undefined
  readonly generation?: number | undefined
  readonly resourceVersion?: string | undefined
  readonly finalizers?: readonly string[] | undefined
  readonly [field: string]: unknown
}

interface ObjectStatus {
  readonly conditions?: readonly ObjectCondition[] | undefined
  readonly [field: string]: unknown
}

export interface ObjectCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly lastTransitionTime?: string | undefined
  readonly observedGeneration?: number | undefined
}
