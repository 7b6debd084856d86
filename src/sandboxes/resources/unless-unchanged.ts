import { isSameJson } from 'flotilla'
import type { ApiObject, FieldError, Strategy } from 'flotilla/planes'

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
