import type { Violation } from '../../lib/errors.ts'
import { isInstant } from '../../lib/instant.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

/** The rules of a report that a schema cannot express: distinct types, and years with 4 digits. */
export function reportRules(body: JsonObject): readonly Violation[] {
  return [...repeatedTypes(body['conditions']), ...timeRange(body['observed_time'])]
}

/** The same for the strict profile, in which a report must name its generation. */
export function strictReportRules(body: JsonObject): readonly Violation[] {
  return [...reportRules(body), ...missingGeneration(body['observed_generation'])]
}

function missingGeneration(generation: JsonValue | undefined): Violation[] {
  if (generation !== undefined && generation !== null) return []
  const field = 'observed_generation'
  return [{ field, message: `${field} is required`, constraint: 'required' }]
}

function repeatedTypes(conditions: JsonValue | undefined): Violation[] {
  if (!Array.isArray(conditions)) return []
  const seen = new Set<JsonValue>()
  return conditions.flatMap((condition: JsonValue, index) => {
    const type = isJsonObject(condition) ? condition['type'] : undefined
    if (typeof type !== 'string') return []
    if (!seen.has(type)) {
      seen.add(type)
      return []
    }
    const field = `conditions[${index}].type`
    return [
      { field, message: `${field} '${type}' appears twice`, constraint: 'unique', value: type },
    ]
  })
}

/** The schema rejects texts that are not times. */
function timeRange(time: JsonValue | undefined): Violation[] {
  if (typeof time !== 'string' || !/^\d{4}-\d\d-\d\d/.test(time) || isInstant(time)) return []
  const message = 'observed_time must be an RFC 3339 time between the years 0001 and 9999'
  return [{ field: 'observed_time', message, constraint: 'format', value: time }]
}
