import { isSameJson } from '../../lib/json/same-json.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import type { Strategy } from '../../planes/model/native-resource.ts'

type SpecErrors = (object: ApiObject, old: ApiObject | null) => readonly FieldError[]

/**
 * Validates created objects and changed specs. Violations of the old spec, which an earlier version
 * accepted, do not prevent changes of other fields, such as a suspension.
 */
export function unlessUnchanged(errorsOf: SpecErrors): NonNullable<Strategy['validate']> {
  return (object, old, { subresource }) => {
    if (subresource === 'status') return []
    if (old !== null && isSameJson(old['spec'] ?? null, object['spec'] ?? null)) return []
    const known = old === null ? [] : errorsOf(old, old)
    return errorsOf(object, old).filter((error) => !known.some((each) => isSameJson(each, error)))
  }
}
