import type { ObjectKey } from './stored-object.ts'

/**
 * An object that must still exist with this uid. A write that was decided because of the object then
 * never applies to the content of a plane that has been reset.
 */
export interface ObjectFence {
  readonly key: ObjectKey
  readonly uid: string
}
