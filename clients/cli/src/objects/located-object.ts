import type { JsonObject } from '../documents/json-object.ts'
import type { KindTarget } from '../targets/kind-target.ts'

/** An existing resource. */
export interface LocatedObject {
  readonly target: KindTarget
  /** `cluster/lisbon` */
  readonly label: string
  /** Its path from the root of the server. */
  readonly path: string
  /** The resource, as the server returned it. */
  readonly object: JsonObject
}
