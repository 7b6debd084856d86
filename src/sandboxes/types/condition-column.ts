import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import type { PrinterColumn } from '../../planes/model/resource-type.ts'
import { computedColumn } from '../../planes/native/printer-columns.ts'

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
