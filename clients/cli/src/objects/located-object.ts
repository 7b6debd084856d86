import type { JsonObject } from '../documents/json-object.ts'
import type { Target } from '../targets/kind-target.ts'

/** An existing object of either API. */
export interface LocatedObject {
  readonly target: Target
  /** `cluster/lisbon` */
  readonly label: string
  /** Its path from the root of the server. */
  readonly path: string
  /** The object, as the server returned it. */
  readonly object: JsonObject
  /** The entity tag, for resources of the HyperFleet API. */
  readonly tag: string | null
}
