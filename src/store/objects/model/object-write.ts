import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import type { ObjectKey, StoredObject } from './stored-object.ts'
import type { ObjectFence } from './object-fence.ts'
import type { WriteFence } from './write-fence.ts'

/** The content of an object after a write. */
export interface ObjectContent {
  readonly key: ObjectKey
  readonly uid: string
  readonly body: JsonObject
  readonly managedFields: readonly JsonValue[]
}

/** The searchable parts of an object before a write, for watches that filter. */
export interface SearchedFields {
  readonly labels: Readonly<Record<string, string>>
  /** Values of the selectable fields other than name and namespace, such as `spec.host`. */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * A write of one object. Updates and removals are optimistic: they apply only if the object still
 * has the revision that the writer read.
 */
export type ObjectWrite = {
  /** The write applies only during this term of leadership, or while this object exists. */
  readonly fence?: WriteFence | ObjectFence
} & (
  | (ObjectContent & {
      readonly type: 'create'
      /** Whether the namespace of the key must exist and must not be deleted. */
      readonly requireNamespace: boolean
      /** The most objects of the resource in the namespace after the write. */
      readonly maxObjects?: number
      /** Objects that the same commit creates unless they exist; each gets its own revision. */
      readonly companions: readonly ObjectContent[]
    })
  | (ObjectContent & {
      readonly type: 'update'
      /** The revision that was read; null if the object is computed and not stored yet. */
      readonly revision: bigint | null
      readonly before: SearchedFields
    })
  | {
      readonly type: 'remove'
      readonly key: ObjectKey
      readonly uid: string
      /** The revision that was read; null if the object is computed and not stored yet. */
      readonly revision: bigint | null
      /** Whether a tombstone must hide the computed object of this key. */
      readonly leaveTombstone: boolean
      /** The object as the DELETED event shows it. */
      readonly body: JsonObject
      readonly managedFields: readonly JsonValue[]
      readonly before: SearchedFields
    }
)

/** The result of a write. */
export type WriteOutcome =
  | {
      readonly status: 'written'
      readonly revision: bigint
      /** The object after the write, if its store changes it; otherwise it is as written. */
      readonly object?: StoredObject
    }
  /** A create found an object with this key. */
  | { readonly status: 'exists' }
  /** The object has another revision or uid, or no longer exists. */
  | { readonly status: 'conflict' }
  | { readonly status: 'namespace-missing' }
  | { readonly status: 'namespace-terminating' }
  /** The namespace already has `maxObjects` objects of the resource. */
  | { readonly status: 'limit-exceeded' }
  /** The writer is no longer the leader, or the object of its fence is gone. */
  | { readonly status: 'fenced' }
