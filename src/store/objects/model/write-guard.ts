import type { ObjectKey } from './stored-object.ts'
import type { WriteFence } from './write-fence.ts'

/**
 * A condition of a write to resources: the writer is still the leader, or the object that declares
 * the write has not changed since the writer read it.
 */
export type WriteGuard =
  | ({ readonly type: 'lease' } & WriteFence)
  | {
      readonly type: 'object'
      readonly key: ObjectKey
      readonly uid: string
      /** `metadata.generation` of the object. A deletion raises it too. */
      readonly generation: number
    }
