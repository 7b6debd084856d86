import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'

/** The condition of this type in a status; null if there is none. Case does not matter. */
export function conditionOf({ status }: ApiObject, type: string): JsonObject | null {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  if (!Array.isArray(conditions)) return null
  const found = conditions.find((each) => isJsonObject(each) && isEqual(each['type'], type))
  return isJsonObject(found) ? found : null
}

/** Whether a condition has this status and was observed for the current generation. */
export function isConditionMet(
  object: ApiObject,
  { type, status }: { readonly type: string; readonly status: string },
): boolean {
  const condition = conditionOf(object, type)
  if (!condition || !isEqual(condition['status'], status)) return false
  const { generation } = object.metadata
  const ofStatus = isJsonObject(object['status']) ? object['status']['observedGeneration'] : null
  const observed = condition['observedGeneration'] ?? ofStatus
  return generation === undefined || typeof observed !== 'number' || observed >= generation
}

function isEqual(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase()
}
