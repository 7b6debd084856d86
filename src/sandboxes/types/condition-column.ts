import { isJsonObject, type JsonValue } from 'flotilla'
import type { ApiObject, PrinterColumn } from 'flotilla/planes'
import { computedColumn } from 'flotilla/planes/native'

/** A column with a field of the condition of a type. */
export function conditionColumn(
  name: string,
  type: string,
  { field = 'status', description }: { readonly field?: string; readonly description: string },
): PrinterColumn {
  return computedColumn(name, description, (object) => fieldOf(object, type, field))
}

function fieldOf({ status }: ApiObject, type: string, field: string): JsonValue {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  if (!Array.isArray(conditions)) return null
  const found = conditions.find((each) => isJsonObject(each) && each['type'] === type)
  return isJsonObject(found) ? (found[field] ?? null) : null
}
