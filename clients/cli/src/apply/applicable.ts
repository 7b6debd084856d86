import type { JsonObject } from '../documents/json-object.ts'

/** The effect of a change, before it is made. */
export interface Plan {
  /** The current object, without the fields that the server owns; null if there is none. */
  readonly before: JsonObject | null
  /** The object after the change. */
  readonly after: JsonObject
  /** The current object as the server returned it; null if there is none. */
  readonly current: JsonObject | null
  /** The object after the change, as the server returned it. */
  readonly result: JsonObject
  /** Identifies the current version, so that only this version is changed; null for a create. */
  readonly version: string | null
}

export type Outcome = 'created' | 'updated' | 'unchanged'

/** The result of a write. */
export interface Applied {
  readonly outcome: Outcome
  /** The object, as the server returned it. */
  readonly object: JsonObject
}

/** A resource to apply. */
export interface Applicable {
  /** `cluster/lisbon` */
  readonly label: string
  /** Asks the server for the effect. Changes nothing. */
  readonly plan: () => Promise<Plan>
  /** Writes it if the object still has the version of the plan. Null if it has changed. */
  readonly write: (plan: Plan) => Promise<Applied | null>
}
