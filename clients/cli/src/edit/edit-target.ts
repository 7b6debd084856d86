import type { JsonObject } from '../documents/json-object.ts'

/** A version of an object that can be edited. */
export interface EditedVersion {
  /** The fields that the user may change. */
  readonly content: JsonObject
  /** Identifies the version. */
  readonly version: string
}

/** An object that can be edited. */
export interface EditTarget {
  /** `cluster/lisbon` */
  readonly label: string
  readonly read: () => Promise<EditedVersion>
  /** Saves an edit of a version. False if the object has another version by now. */
  readonly write: (edited: JsonObject, base: EditedVersion) => Promise<boolean>
}
