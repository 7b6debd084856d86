import type { JsonObject } from '../../lib/json/json.ts'

/** A violated rule of an object. The wording and reasons are those of Kubernetes. */
export interface FieldError extends JsonObject {
  /** Path such as `spec.containers[0].name`; empty for the object itself. */
  readonly field: string
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueNotFound'
    | 'FieldValueTypeInvalid'
  /** Such as `Invalid value: "A": a lowercase RFC 1123 label must ...`. */
  readonly message: string
}
