import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { AwaitedCondition } from '../requests/awaited-condition.ts'
import type { AwaitedState } from './wait-for-state.ts'

/** The state of an object whose status has a condition for the current generation. */
export function conditionState(wanted: AwaitedCondition): AwaitedState {
  return {
    isReached: (object) => isConditionMet(object, wanted),
    describe: (object) => `the condition ${wanted.type} ${describe(object, wanted)}`,
  }
}

function describe(object: ApiObject, wanted: AwaitedCondition): string {
  const current = conditionOf(object, wanted.type)
  if (!current) return 'is absent'
  const { status, reason } = current
  const shown = `is ${textOf(status)} (${textOf(reason)})`
  return isEqual(status, wanted.status)
    ? `${shown} for an older generation`
    : `${shown}, not ${wanted.status}`
}

/** The condition of this type in a status; null if there is none. Case does not matter. */
function conditionOf({ status }: ApiObject, type: string): JsonObject | null {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  if (!Array.isArray(conditions)) return null
  const found = conditions.find((each) => isJsonObject(each) && isEqual(each['type'], type))
  return isJsonObject(found) ? found : null
}

/** Whether a condition has this status and was observed for the current generation. */
function isConditionMet(object: ApiObject, { type, status }: AwaitedCondition): boolean {
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

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : 'unknown'
}
