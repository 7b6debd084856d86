import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { listOf, objectOf } from '../../lib/json/json-fields.ts'

/** The initial content of a member, with placeholders. */
export interface MemberContent extends JsonObject {
  readonly labels: JsonObject
  readonly spec: JsonObject
  /** Each with `name`, and perhaps `labels` and `spec`. */
  readonly nodePools: readonly JsonObject[]
  /** Manifests for the plane. */
  readonly objects: readonly JsonValue[]
}

/** The content of new members of a fleet. */
export interface FleetContent {
  readonly content: MemberContent
  /** Its hash. */
  readonly template: string
}

/** The content in a template or in the spec of a Scenario. Both were validated when stored. */
export function contentOf(given: JsonObject): MemberContent {
  const { labels, spec, nodePools, objects } = given
  return {
    labels: objectOf(labels),
    spec: objectOf(spec),
    nodePools: listOf(nodePools).filter(isJsonObject),
    objects: listOf(objects),
  }
}
