import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'

/** Identifies an object. Only one object has a key at a time; the uid distinguishes successors. */
export interface ObjectKey {
  /** ID of the plane: the ID of a cluster, or `root`. */
  readonly plane: string
  /** The plural and the group, such as `configmaps` or `fleets.kplane.dev`. */
  readonly resource: string
  /** Empty for objects without a namespace. */
  readonly namespace: string
  readonly name: string
}

/** The current state of an object. */
export interface StoredObject extends ObjectKey {
  readonly uid: string
  /** The plane's revision at the last write of the object. */
  readonly revision: bigint
  /**
   * The object in its storage version, except `metadata.resourceVersion` and
   * `metadata.managedFields`.
   */
  readonly body: JsonObject
  readonly managedFields: readonly JsonValue[]
  /** The object belongs to every plane from the start and has not been stored yet. */
  readonly isComputed?: true
}
