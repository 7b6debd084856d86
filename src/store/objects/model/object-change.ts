import type { SearchedFields } from './object-write.ts'
import type { ObjectKey } from './stored-object.ts'

/** A change of an object in the log. */
export interface ObjectChange extends ObjectKey {
  /** Position in the log of all planes. Consecutive. */
  readonly sequence: bigint
  /** The plane's revision after the change: the resource version of the object in the event. */
  readonly revision: bigint
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly uid: string
  /** JSON text of the object after the change (of a deletion: the last state), as stored. */
  readonly body: string
  /** JSON text of the array. */
  readonly managedFields: string
  /** Labels after the change. */
  readonly labels: Readonly<Record<string, string>>
  /** Null if the change did not alter the searchable parts, and for ADDED. */
  readonly before: SearchedFields | null
}
