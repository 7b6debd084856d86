import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { decideDefinitionStatus } from '../definitions/acceptance/decide-definition-status.ts'
import type { ApiObject } from '../model/api-object.ts'

/**
 * Accepts the names of a definition, as the definition controller does. The plane then serves its
 * instances from the first request.
 */
export function establishDefinition(
  definition: ApiObject,
  others: readonly ApiObject[],
  now: Date,
): ApiObject {
  const status = decideDefinitionStatus(definition, others, now)
  return status === null ? definition : { ...definition, status }
}

/** The body of an established definition, with another time of its conditions. */
export function withConditionTimes(body: JsonObject, time: string): JsonObject {
  const { status } = body
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  if (!isJsonObject(status) || !Array.isArray(conditions)) return body
  const timed = conditions.map((condition) => ({ ...condition, lastTransitionTime: time }))
  return { ...body, status: { ...status, conditions: timed } }
}
