import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import type { PlaceholderValues } from '../../lib/json/replace-placeholders.ts'
import type { FieldError } from '../../planes/model/field-error.ts'

/** The rules of the content of members. They return violations with paths below `field`. */
export interface ContentRules {
  /** Rules of a cluster with `name`, `labels` and `spec`. */
  readonly clusterErrors: (body: JsonObject, field: string) => readonly FieldError[]
  /** Rules of a node pool with `name`, `labels` and `spec`. */
  readonly nodePoolErrors: (body: JsonObject, field: string) => readonly FieldError[]
  /** Rules of manifests, as the API of planes would validate their creation. */
  readonly manifestErrors: (
    manifests: readonly JsonValue[],
    field: string,
    sample: PlaceholderValues,
  ) => Promise<readonly FieldError[]>
}
