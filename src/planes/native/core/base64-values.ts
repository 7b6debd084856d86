import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { invalidValue } from '../../errors/field-errors.ts'
import type { FieldError } from '../../model/field-error.ts'

const LINE_BREAKS = /[\r\n]/g
const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/

/** Whether the text is base64 with padding, as Go decodes it: line breaks are allowed. */
export function isBase64(text: string): boolean {
  const compact = text.replaceAll(LINE_BREAKS, '')
  return compact.length % 4 === 0 && ALPHABET.test(compact)
}

/** The violations of values that must be base64. */
export function base64Errors(field: string, data: JsonValue | undefined): readonly FieldError[] {
  return Object.entries(isJsonObject(data) ? data : {}).flatMap(([key, value]) =>
    typeof value === 'string' && !isBase64(value)
      ? [invalidValue(`${field}[${key}]`, '<value omitted>', 'must be base64')]
      : [],
  )
}

/** The values without the line breaks that base64 may contain. */
export function compactBase64(data: JsonObject): JsonObject {
  const hasBreaks = Object.values(data).some(
    (value) => typeof value === 'string' && /[\r\n]/.test(value),
  )
  if (!hasBreaks) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll(LINE_BREAKS, '') : value,
    ]),
  )
}
