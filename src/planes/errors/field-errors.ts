import type { JsonValue } from '../../lib/json/json.ts'
import type { FieldError } from '../model/field-error.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** The longest value in a message, in UTF-16 units. */
const MAX_SHOWN = 1024

/** The value violates a rule. */
export function invalidValue(field: string, value: JsonValue, detail: string): FieldError {
  return withValue('FieldValueInvalid', 'Invalid value', { field, value, detail })
}

/** The value has the wrong type. */
export function invalidType(field: string, value: JsonValue, detail: string): FieldError {
  return withValue('FieldValueTypeInvalid', 'Invalid value', { field, value, detail })
}

/** The value is missing or empty. */
export function requiredValue(field: string, detail = ''): FieldError {
  return { field, reason: 'FieldValueRequired', message: withDetail('Required value', detail) }
}

/** Another item has the same value. */
export function duplicateValue(field: string, value: JsonValue): FieldError {
  return withValue('FieldValueDuplicate', 'Duplicate value', { field, value, detail: '' })
}

/** The value is not one of the supported ones. */
export function unsupportedValue(
  field: string,
  value: JsonValue,
  supported: readonly string[],
): FieldError {
  const listed = supported.map((text) => JSON.stringify(text)).join(', ')
  const detail = supported.length === 0 ? '' : `supported values: ${shortened(listed)}`
  return withValue('FieldValueNotSupported', 'Unsupported value', { field, value, detail })
}

/** The field must not have a value. */
export function forbiddenValue(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: withDetail('Forbidden', detail) }
}

/** The text has too many bytes. */
export function tooLong(field: string, max: number): FieldError {
  const detail = `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`
  return { field, reason: 'FieldValueTooLong', message: withDetail('Too long', detail) }
}

/** The list or map has too many items. */
export function tooMany(field: string, count: number, max: number): FieldError {
  const detail = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`
  return withValue('FieldValueTooMany', 'Too many', { field, value: count, detail })
}

/** The value refers to something that does not exist. */
export function valueNotFound(field: string, value: JsonValue): FieldError {
  return withValue('FieldValueNotFound', 'Not found', { field, value, detail: '' })
}

function withValue(
  reason: FieldError['reason'],
  summary: string,
  { field, value, detail }: { field: string; value: JsonValue; detail: string },
): FieldError {
  const shown = shortened(jsonText(value))
  return { field, reason, message: withDetail(`${summary}: ${shown}`, detail) }
}

function withDetail(summary: string, detail: string): string {
  return detail === '' ? summary : `${summary}: ${detail}`
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text
}
