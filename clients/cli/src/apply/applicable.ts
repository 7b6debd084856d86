import type { JsonObject } from '../documents/json-object.ts'

/** The effect of a change, before it is made. */
export interface Plan {
  /** The current object, without the fields that the server owns; null if there is none. */
  readonly before: JsonObject | null
  /** The object after the change; null if the server cannot compute it yet. */
  readonly after: JsonObject | null
  /** The current object as the server returned it; null if there is none. */
  readonly current: JsonObject | null
  /** The object after the change, as the server returned it; null like `after`. */
  readonly result: JsonObject | null
  /** Identifies the current version, so that only this version is changed; null for a create. */
  readonly version: string | null
}

/** The plan of an object that depends on others, which do not exist yet. */
export const UNCHECKED: Plan = {
  before: null,
  after: null,
  current: null,
  result: null,
  version: null,
}

export type Outcome = 'created' | 'updated' | 'unchanged'

/** The result of a write. */
export interface Applied {
  readonly outcome: Outcome
  /** The object, as the server returned it. */
  readonly object: JsonObject
}

/** An object to apply, of either API. */
export interface Applicable {
  /** `cluster/lisbon` */
  readonly label: string
  /** Asks the server for the effect. Changes nothing. */
  readonly plan: () => Promise<Plan>
  /** Writes it if the object still has the version of the plan. Null if it has changed. */
  readonly write: (plan: Plan) => Promise<Applied | null>
}
