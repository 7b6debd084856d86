import { isInstant } from '../../lib/instant.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { invalidValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'

const PATTERN = /\.\d{6}(?:Z|[+-]\d\d:\d\d)$/

/** The violations of a time in microseconds. Clients in Go accept exactly six fractional digits. */
export function microTimeErrors(
  field: string,
  value: JsonValue | undefined,
): readonly FieldError[] {
  if (typeof value !== 'string' || (PATTERN.test(value) && isInstant(value))) return []
  return [invalidValue(field, value, 'must have the form 2006-01-02T15:04:05.000000Z')]
}
