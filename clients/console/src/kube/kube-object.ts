/** The metadata that the console uses. */
export interface KubeMetadata {
  readonly name: string
  readonly namespace?: string | undefined
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly generation?: number | undefined
  readonly creationTimestamp?: string | undefined
  readonly deletionTimestamp?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly ownerReferences?: readonly OwnerReference[] | undefined
  readonly managedFields?: readonly ManagedFields[] | undefined
}

/** The object that an object belongs to. */
interface OwnerReference {
  readonly kind: string
  readonly name: string
  readonly uid?: string
}

/** The last write of a field manager. */
interface ManagedFields {
  readonly manager?: string
  readonly operation?: string
  readonly time?: string
  readonly subresource?: string
  readonly fieldsV1?: Readonly<Record<string, unknown>>
}

/** An object of a plane. */
export interface KubeObject {
  readonly apiVersion?: string | undefined
  readonly kind?: string | undefined
  readonly metadata: KubeMetadata
}

/** A condition in the status of an object. */
export interface KubeCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly lastTransitionTime?: string | undefined
  readonly observedGeneration?: number | undefined
}

/** The metadata of a page. */
export interface KubeListMetadata {
  readonly resourceVersion?: string | undefined
  readonly continue?: string | undefined
  readonly remainingItemCount?: number | undefined
}
